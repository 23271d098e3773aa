import { createClient, type ListedPostWithContent } from '@blog-content/client';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectSaved } from '../../test/events.ts';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));

/** A site's posts, kept as the guide says. `meanwhile` is called after each page. */
function createSite() {
  const client = createClient({ baseUrl: service.origin, key: project.key, backoffMs: 1 });
  const posts = new Map<string, ListedPostWithContent>();
  let since: string | undefined;
  return {
    client,
    posts,
    async build({ pageSize = 100, meanwhile = async () => {} } = {}) {
      const seen: string[] = [];
      for await (const page of client.changes({ ...(since && { since }), pageSize, includeContent: true })) {
        if (page.startsAnew) posts.clear();
        for (const change of page.changes) {
          if ('removed' in change) posts.delete(change.id);
          else posts.set(change.id, change);
          seen.push(`${page.startsAnew ? '*' : ''}${'removed' in change ? '-' : ''}${change.slug}`);
        }
        since = page.since;
        await meanwhile();
      }
      return seen;
    },
    async published() {
      const all = new Map<string, ListedPostWithContent>();
      for await (const post of client.all({ includeContent: true })) all.set(post.id, post);
      return all;
    },
  };
}

const newAddress = (number: number) =>
  service.applyProjects(
    projectSaved({ project_id: project.id, project_event_number: number, site_url: `https://${number}.example` }),
  );

describe('changes() of the client, on the running service', () => {
  it('gives everything at first, then what has changed, and then nothing', async () => {
    const site = createSite();
    const id = await project.publish({ slug: 'first' });
    expect(await site.build()).toEqual(['*first']);
    await project.publish({ slug: 'second' });
    await project.unpublish(id);
    expect(await site.build()).toEqual(['second', '-first']);
    expect(await site.build()).toEqual([]);
    expect(site.posts).toEqual(await site.published());
  });

  it('gives chosen fields only, and does not expose the key', async () => {
    await project.publish({ slug: 'first', title: 'First' });
    const { client } = createSite();
    for await (const { changes } of client.changes({ fields: ['id', 'title'] })) {
      expect(changes).toEqual([{ id: expect.any(String), title: 'First' }]);
    }
    const refused = async () => {
      for await (const page of client.changes({ since: 'not-one' })) expect(page).toBeNull();
    };
    await expect(refused()).rejects.toMatchObject({ status: 400, message: expect.not.stringContaining(project.key) });
  });

  it('restarts by itself where the position is gone, also between two pages', async () => {
    const site = createSite();
    for (const slug of ['a', 'b', 'c']) await project.publish({ slug });
    await site.build();
    await newAddress(2);
    expect(await site.build()).toEqual(expect.arrayContaining(['*a', '*b', '*c']));
    let number = 3;
    await newAddress((number += 1));
    const meanwhile = async () => {
      if (number < 6) await newAddress((number += 1));
    };
    await site.build({ pageSize: 1, meanwhile });
    expect(site.posts).toEqual(await site.published());
    // Each position is gone immediately.
    const forEver = createSite().build({ pageSize: 1, meanwhile: () => newAddress((number += 1)) });
    await expect(forEver).rejects.toMatchObject({ status: 410 });
  });

  it('keeps a copy that is the whole list in the end, while posts change at random under each build', async () => {
    const slugs = Array.from({ length: 30 }, (_, at) => `slug-${at}`);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
    const site = createSite();
    const live = new Map<string, string>();
    let day = 0;
    const change = async () => {
      for (let count = Math.floor(Math.random() * 4); count > 0; count -= 1) {
        const id = live.size > 0 && Math.random() < 0.7 ? pick([...live.keys()]) : randomUUID();
        if (live.has(id) && Math.random() < 0.3) {
          await project.unpublish(id);
          live.delete(id);
          continue;
        }
        const free = slugs.filter((slug) => ![...live.values()].includes(slug));
        const slug = Math.random() < 0.6 ? (live.get(id) ?? pick(free)) : (free[0] ?? live.get(id));
        if (slug === undefined) continue;
        live.set(id, slug);
        const began = new Date(Date.UTC(2026, 0, (day += Math.floor(Math.random() * 2)))).toISOString();
        const content = `<p>${pick(['', `[INTERNAL:${pick(slugs)}]`])}</p>`;
        await project.publish({ slug, title: pick(['One', 'Two']), content }, { id, began });
      }
    };
    for (let at = 0; at < 40; at += 1) await change();
    for (let round = 0; round < 12; round += 1) {
      let left = 15;
      const meanwhile = async () => {
        if ((left -= 1) > 0) await change();
      };
      await site.build({ pageSize: 1 + Math.floor(Math.random() * 4), meanwhile });
      await change();
    }
    await site.build();
    expect(site.posts).toEqual(await site.published());
    expect(site.posts.size).toBe(live.size);
  });
});

describe('the build of the guide', () => {
  const root = join(import.meta.dirname, '../../../..');

  it('removes deleted posts, also after its position was gone', async () => {
    await using resources = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'blog-content-guide-'));
    resources.defer(() => rm(folder, { recursive: true }));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const guide = await readFile(join(root, 'docs/guides/fetch-posts.md'), 'utf8');
    const [, code] = /^`incremental\.mjs`:\n\n```js\n(.*?)^```$/ms.exec(guide)!;
    await writeFile(join(folder, 'incremental.mjs'), code!);
    const build = async () => {
      const env = { ...process.env, BLOG_API: service.origin, BLOG_KEY: project.key };
      const args = ['--disable-warning=ExperimentalWarning', '--conditions=@blog-content/source', 'incremental.mjs'];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
      return stdout.trimEnd().split('\n');
    };
    const gone = await project.publish({ slug: 'gone' });
    await project.publish({ slug: 'stays' });
    expect(await build()).toEqual(expect.arrayContaining(['build /blog/gone/', 'build /blog/stays/', '2 posts']));
    await project.unpublish(gone);
    await newAddress(2);
    expect(await build()).toEqual(['build /blog/stays/', 'remove /blog/gone/', '1 posts']);
    expect(await build()).toEqual(['1 posts']);
  });
});
