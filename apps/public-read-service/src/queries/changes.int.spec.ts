import type { LifecycleEvent, PublicBlogChanges } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { createCopy, listWhole } from '../../test/changes-copy.ts';
import { blogDeleted, blogPublished, slugsChanged, blogUnpublished, projectSaved } from '../../test/events.ts';
import { eachInNewProject, PUBLIC, type TestProject, type TestService } from '../../test/test-service.ts';
import { MAX_WATCHED_TARGETS } from './change-log-statements.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));

const namesOf = (changes: PublicBlogChanges['changes']) =>
  changes.map((item) => ('removed' in item ? `-${item.slug}` : item.slug));

/** A reader that has everything so far. */
async function follow() {
  const copy = createCopy(project);
  await copy.catchUp();
  return copy;
}

describe('since=0', () => {
  it('gives all posts, newest first, a page at a time, and a position behind them', async () => {
    for (const day of [1, 2, 3]) {
      await project.publish({ slug: `day-${day}` }, { began: `2026-03-0${day}T00:00:00.000Z` });
    }
    const first = await project.read<PublicBlogChanges>('/blogs?since=0&limit=2');
    expect({ ...first, changes: namesOf(first.changes) }).toEqual({
      changes: ['day-3', 'day-2'],
      limit: 2,
      next_since: expect.stringMatching(/^[\w-]+$/),
      has_more: true,
    });
    const second = await project.read<PublicBlogChanges>(`/blogs?since=${first.next_since}&limit=2`);
    expect([namesOf(second.changes), second.has_more]).toEqual([['day-1'], false]);
    const third = await project.read<PublicBlogChanges>(`/blogs?since=${second.next_since}`);
    expect(third).toEqual({ changes: [], limit: 50, next_since: second.next_since, has_more: false });
  });

  it('gives a project without posts nothing, and what is published behind it', async () => {
    const copy = await follow();
    await project.publish({ slug: 'first' });
    expect(namesOf(await copy.catchUp())).toEqual(['first']);
  });

  it('misses nothing that moves to the front, or goes, while its pages are read', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      ids.push(await project.publish({ slug: `post-${at}` }, { began: `2026-03-0${5 - at}T00:00:00.000Z` }));
    }
    const copy = createCopy(project);
    await copy.readPage(2);
    await project.publish({ slug: 'post-4' }, { id: ids[4]!, began: '2026-04-01T00:00:00.000Z' });
    await project.unpublish(ids[0]!);
    await project.unpublish(ids[3]!);
    await copy.catchUp(2);
    expect(copy.byId).toEqual(await listWhole(project));
  });
});

describe('what has changed', () => {
  it('comes oldest change first, each post once, as it is now', async () => {
    const copy = await follow();
    const one = await project.publish({ slug: 'one' });
    await project.publish({ slug: 'two' });
    await project.publish({ slug: 'one', title: 'Changed' }, { id: one });
    const [two, last] = await copy.catchUp();
    expect(two).toMatchObject({ slug: 'two' });
    expect(last).toEqual((await listWhole(project)).get(one));
    expect(await copy.catchUp()).toEqual([]);
  });

  it('says what is no more: unpublished, deleted, moved to another slug', async () => {
    const [gone, deleted, moved] = [await project.publish({ slug: 'gone' }), randomUUID(), randomUUID()];
    const about = { project_id: project.id, blog_id: deleted };
    await service.apply(blogPublished({ ...about, revision: { slug: 'deleted' } }));
    await project.publish({ slug: 'old' }, { id: moved });
    const copy = await follow();
    await project.unpublish(gone);
    await service.apply(blogDeleted({ ...about, blog_event_number: 2 }));
    await project.publish({ slug: 'new' }, { id: moved });
    expect(await copy.catchUp()).toEqual([
      { id: gone, slug: 'gone', removed: true },
      { id: deleted, slug: 'deleted', removed: true },
      { id: moved, slug: 'old', removed: true, moved_to: 'new' },
      expect.objectContaining({ id: moved, slug: 'new' }),
    ]);
    await project.publish({ slug: 'old' }, { id: moved });
    expect(namesOf(await copy.catchUp())).toEqual(['-new', 'old']);
  });

  it('takes a slug from one post before it gives it to another, also when events of both come together', async () => {
    const [a, b] = [await project.publish({ slug: 'a' }), await project.publish({ slug: 'b' })];
    const copy = await follow();
    const swap = (blog_id: string, slug: string) =>
      blogPublished({ project_id: project.id, blog_id, blog_event_number: 2, site_url: null, revision: { slug } });
    await service.apply(swap(a, 'b'), swap(b, 'a'));
    expect(namesOf(await copy.catchUp())).toEqual(['-a', '-b', 'a', 'b']);
    expect([...copy.bySlug.values()].map(({ id, slug }) => [slug, id])).toEqual([
      ['a', b],
      ['b', a],
    ]);
  });

  it('is what changed for readers: a repeated event changes nothing', async () => {
    const event = blogPublished({ project_id: project.id, revision: { slug: 'once' } });
    await service.apply(event);
    const copy = await follow();
    await service.apply(event);
    expect(await copy.catchUp()).toEqual([]);
  });

  it('of another project is none', async () => {
    const copy = await follow();
    const other = await service.createProject();
    await other.publish({ slug: 'other' });
    expect(await copy.catchUp()).toEqual([]);
  });

  it('has the fields that are asked for; what is no more always has its id and slug', async () => {
    const copy = createCopy(project, 'fields=slug,title');
    const id = await project.publish({ slug: 'tea', title: 'Tea' });
    await project.publish({ slug: 'green', title: 'Green' }, { id });
    await copy.catchUp();
    await project.unpublish(id);
    await project.publish({ slug: 'oolong', title: 'Oolong' });
    expect(await copy.catchUp()).toEqual([
      { id, slug: 'green', removed: true },
      { title: 'Oolong', slug: 'oolong' },
    ]);
  });

  it('fits into an answer: large contents make pages of fewer posts, and at least one', async () => {
    const copy = await follow();
    for (let at = 0; at < 5; at += 1) {
      await project.publish({ slug: `large-${at}`, content: `<p>${randomUUID().repeat(26_000)}</p>` });
    }
    const seen: number[] = [];
    while (await copy.readPage()) seen.push(copy.byId.size);
    expect(seen).toEqual([2, 4]);
    expect(copy.byId).toEqual(await listWhole(project));
  });
});

describe('posts whose links change', () => {
  const linkTo = (slug: string) => `<p>See [INTERNAL:${slug}].</p>`;

  it('have changed when their target appears, is renamed, moves or goes, and not when its text changes', async () => {
    await project.publish({ slug: 'linking', content: linkTo('target') });
    await project.publish({ slug: 'bystander', content: linkTo('elsewhere') });
    const copy = await follow();
    const id = await project.publish({ slug: 'target', title: 'One' });
    expect(namesOf(await copy.catchUp())).toEqual(['target', 'linking']);
    expect(copy.byId).toEqual(await listWhole(project));
    await project.publish({ slug: 'target', title: 'Two' }, { id });
    expect(namesOf(await copy.catchUp())).toEqual(['target', 'linking']);
    await project.publish({ slug: 'target', title: 'Two', content: 'Other.' }, { id });
    expect(namesOf(await copy.catchUp())).toEqual(['target']);
    await project.publish({ slug: 'moved', title: 'Two' }, { id });
    expect(namesOf(await copy.catchUp())).toEqual(['-target', 'moved', 'linking']);
    await project.publish({ slug: 'target', title: 'Two' }, { id });
    await copy.catchUp();
    await project.unpublish(id);
    expect(namesOf(await copy.catchUp())).toEqual(['-target', 'linking']);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('have changed when the blog that they are bound to is renamed, has another title, goes or comes back', async () => {
    const target = await project.publish({ slug: 'one', title: 'One' });
    await project.publish({ slug: 'linking', content: linkTo('one') }, { bound: { one: target } });
    await project.publish({ slug: 'bystander', content: linkTo('elsewhere') }, { bound: { elsewhere: randomUUID() } });
    const copy = await follow();
    await project.publish({ slug: 'two', title: 'One' }, { id: target });
    expect(namesOf(await copy.catchUp())).toEqual(['-one', 'two', 'linking']);
    await project.publish({ slug: 'two', title: 'Two' }, { id: target });
    expect(namesOf(await copy.catchUp())).toEqual(['two', 'linking']);
    await project.publish({ slug: 'two', title: 'Two', content: 'Other.' }, { id: target });
    expect(namesOf(await copy.catchUp())).toEqual(['two']);
    await project.unpublish(target);
    expect(namesOf(await copy.catchUp())).toEqual(['-two', 'linking']);
    await project.publish({ slug: 'two' }, { id: target });
    expect(namesOf(await copy.catchUp())).toEqual(['two', 'linking']);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('have changed when another blog takes or leaves the last slug of a hidden one, or that gets another', async () => {
    const target = await project.publish({ slug: 'one' });
    await project.publish({ slug: 'linking', content: linkTo('one') }, { bound: { one: target } });
    await project.publish({ slug: 'two' }, { id: target });
    await project.unpublish(target);
    const copy = await follow();
    const heir = await project.publish({ slug: 'two', title: 'Heir' });
    expect(namesOf(await copy.catchUp())).toEqual(['two', 'linking']);
    await project.changeSlugs(target, 'three');
    expect(namesOf(await copy.catchUp())).toEqual(['linking']);
    await project.publish({ slug: 'three', title: 'Heir' }, { id: heir });
    expect(namesOf(await copy.catchUp())).toEqual(['-two', 'three', 'linking']);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('have changed when another blog takes the slug of a bound one that was never published', async () => {
    await project.publish({ slug: 'linking', content: linkTo('draft') }, { bound: { draft: randomUUID() } });
    const copy = await follow();
    await project.publish({ slug: 'draft', title: 'Another' });
    expect(namesOf(await copy.catchUp())).toEqual(['draft', 'linking']);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('have changed when an alias that they name comes, leads elsewhere, is released or becomes a slug', async () => {
    await project.publish({ slug: 'linking', content: linkTo('old') });
    const copy = await follow();
    const id = await project.publish({ slug: 'new', title: 'One' });
    await copy.catchUp();
    await project.publish({ slug: 'new', title: 'One' }, { id, aliases: ['old'] });
    expect(namesOf(await copy.catchUp())).toEqual(['new', 'linking']);
    await project.publish({ slug: 'newest', title: 'One' }, { id, aliases: ['new', 'old'] });
    expect(namesOf(await copy.catchUp())).toEqual(['-new', 'newest', 'linking']);
    await project.publish({ slug: 'newest', title: 'Two' }, { id, aliases: ['new', 'old'] });
    expect(namesOf(await copy.catchUp())).toEqual(['newest', 'linking']);
    await project.changeSlugs(id, 'newest', ['new']);
    expect(namesOf(await copy.catchUp())).toEqual(['linking']);
    await project.changeSlugs(id, 'newest', ['new', 'old']);
    await project.publish({ slug: 'old' });
    expect(namesOf(await copy.catchUp())).toEqual(['old', 'linking']);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('come once in a page, where they have changed last', async () => {
    const id = await project.publish({ slug: 'linking', content: linkTo('target') });
    const copy = await follow();
    await project.publish({ slug: 'target' });
    await project.publish({ slug: 'other' });
    await project.publish({ slug: 'linking', title: 'Other', content: linkTo('target') }, { id });
    expect(namesOf(await copy.catchUp())).toEqual(['target', 'other', 'linking']);
  });

  it('change no more when they do not link any more', async () => {
    const id = await project.publish({ slug: 'linking', content: linkTo('target') });
    await project.publish({ slug: 'linking', content: '<p>None.</p>' }, { id });
    const copy = await follow();
    await project.publish({ slug: 'target' });
    expect(namesOf(await copy.catchUp())).toEqual(['target']);
  });

  it('come a page at a time, however many they are', async () => {
    for (let at = 0; at < 7; at += 1) await project.publish({ slug: `from-${at}`, content: linkTo('hub') });
    const copy = await follow();
    await project.publish({ slug: 'hub' });
    expect(new Set(namesOf(await copy.catchUp(2))).size).toBe(8);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('have changed with any target when they name very many', async () => {
    const slugs = Array.from({ length: MAX_WATCHED_TARGETS + 1 }, (_, at) => `target-${at}`);
    await project.publish({ slug: 'index', content: slugs.map(linkTo).join('') });
    const copy = await follow();
    await project.publish({ slug: slugs.at(-1)! });
    expect(namesOf(await copy.catchUp())).toEqual([slugs.at(-1), 'index']);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('are all posts when the site gets another address: positions are gone', async () => {
    await project.publish({ slug: 'linking', content: linkTo('linking') });
    const copy = await follow();
    await service.applyProjects(
      projectSaved({ project_id: project.id, project_event_number: 2, site_url: 'https://new.example' }),
    );
    await expect(copy.catchUp()).rejects.toThrow('410');
    const fresh = await follow();
    expect(fresh.byId).toEqual(await listWhole(project));
    expect(await fresh.catchUp()).toEqual([]);
  });

  it('are all posts, too, when a publish brings the address of a project that is not known better', async () => {
    const project_id = randomUUID();
    const publish = (slug: string, site_url: string) =>
      service.apply(blogPublished({ project_id, site_url, revision: { slug, content: linkTo('one') } }));
    await publish('one', 'https://old.example');
    await publish('two', 'https://old.example');
    const authorization = `Bearer ${(await service.keys.generate(project_id))!.key}`;
    const reader: Pick<TestProject, 'read'> = {
      async read<Body>(path: string) {
        const { statusCode, body } = await service.request('GET', PUBLIC + path, { authorization });
        if (statusCode !== 200) throw new Error(`${statusCode} ${body}`);
        return JSON.parse(body) as Body;
      },
    };
    const copy = createCopy(reader);
    await copy.catchUp();
    await publish('three', 'https://old.example');
    expect(namesOf(await copy.catchUp())).toEqual(['three']);
    await publish('four', 'https://new.example');
    await expect(copy.catchUp()).rejects.toThrow('410');
  });
});

describe('a copy that is kept by what has changed', () => {
  it('has every change of many that are committed at the same time, however the reads fall between them', async () => {
    const copy = createCopy(project);
    let isPublishing = true;
    const publishMany = async (writer: number) => {
      for (let at = 0; at < 25; at += 1) {
        const id = await project.publish({ slug: `from-${writer}-${at}`, content: `<p>[INTERNAL:from-0-${at}]</p>` });
        if (at % 3 === 0) await project.unpublish(id);
      }
    };
    const reading = (async () => {
      while (isPublishing) await copy.readPage(3);
    })();
    await Promise.all([0, 1, 2, 3].map(publishMany));
    isPublishing = false;
    await reading;
    await copy.catchUp();
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('is the whole list in the end, by id and by slug, after random changes between its pages', async () => {
    const slugs = Array.from({ length: 8 }, (_, at) => `slug-${at}`);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
    for (let round = 0; round < 12; round += 1) {
      project = await service.createProject();
      const blogs = Array.from({ length: 6 }, () => ({ id: randomUUID(), number: 0, slug: null as string | null }));
      const shown = (blog: (typeof blogs)[number], slug: string): LifecycleEvent => {
        blog.slug = slug;
        const named = [pick(slugs), pick(slugs)];
        const content = Math.random() < 0.6 ? `<p>[INTERNAL:${named[0]}] [INTERNAL:${named[1]}]</p>` : 'None.';
        const bound = named.filter(() => Math.random() < 0.5);
        return blogPublished({
          ...{ project_id: project.id, blog_id: blog.id, blog_event_number: (blog.number += 1) },
          publication_began_at: `2026-03-0${1 + Math.floor(Math.random() * 9)}T00:00:00.000Z`,
          published_at: new Date(Date.UTC(2026, 3, 1) + (clock += 1)).toISOString(),
          site_url: 'https://tea.example',
          link_bindings: bound.map((one) => ({ slug: one, blog_id: pick(blogs).id })),
          aliases: someSlugs(),
          revision: {
            ...{ slug, title: pick(['One', 'Two']), content },
            ...{ language: pick([null, 'en', 'de', 'de-AT']), translation_key: pick([null, 'tea', 'pot']) },
          },
        });
      };
      const someSlugs = () => slugs.filter(() => Math.random() < 0.2);
      const happen = (): LifecycleEvent[] => {
        const [blog, other] = [pick(blogs), pick(blogs)];
        const [slug, otherSlug] = [blog.slug, other.slug];
        const free = slugs.filter((one) => blogs.every((any) => any === blog || any.slug !== one));
        const swaps = blog !== other && Math.random() < 0.3;
        if (swaps && slug !== null && otherSlug !== null) return [shown(blog, otherSlug), shown(other, slug)];
        if (slug === null || Math.random() < 0.6) return [shown(blog, slug ?? pick(free))];
        if (Math.random() < 0.5) return [shown(blog, pick(free))];
        const about = { project_id: project.id, blog_id: blog.id, blog_event_number: (blog.number += 1) };
        if (Math.random() < 0.3) return [slugsChanged({ ...about, slug, aliases: someSlugs() })];
        blog.slug = null;
        if (Math.random() < 0.3) {
          const hidden = { ...about, blog_event_number: (blog.number += 1) };
          return [blogUnpublished(about), slugsChanged({ ...hidden, slug: pick(slugs), aliases: someSlugs() })];
        }
        return [Math.random() < 0.5 ? blogUnpublished(about) : blogDeleted(about)];
      };
      let clock = 0;
      const copies = [createCopy(project), createCopy(project), createCopy(project)];
      for (let step = 0; step < 30; step += 1) {
        const events = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, happen).flat();
        const together = Math.random() < 0.5 ? events.length : 1;
        for (let at = 0; at < events.length; at += together) {
          await service.apply(...events.slice(at, at + together));
          for (const copy of copies) if (Math.random() < 0.4) await copy.readPage(1 + Math.floor(Math.random() * 3));
        }
      }
      const whole = await listWhole(project);
      const bySlug = new Map([...whole.values()].map((blog) => [blog.slug, blog]));
      for (const copy of copies) {
        await copy.catchUp(2);
        expect(copy.byId).toEqual(whole);
        expect(copy.bySlug).toEqual(bySlug);
      }
    }
  });
});
