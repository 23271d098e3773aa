import { randomUUID } from 'node:crypto';
import { eventually, startReceiver, type Receiver } from '@blog-content/testing';
import { servedEvent, testBlog, type PublishChanges, type TestBlog } from '../events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../running-dispatcher.ts';
import type { ProviderApis } from '../../src/destinations/open-destination.ts';
import type { Peer } from './peer.ts';

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A content as it is sent, and what is kept of it. */
const CONTENT = {
  html: '<h2>Hot</h2><p style="color: #c00">Tea &amp; <em>coffee</em></p>',
  markdown: '## Hot\n\nTea & _coffee_',
} as const;
const linkTo = { html: (url: string) => `href="${url}"`, markdown: (url: string) => `](${url})` } as const;

/** What every direct integration promises (contract §6.7). `providerApis` leads to a peer that is no real system. */
export function destinationContract(peer: Peer, providerApis?: ProviderApis): void {
  const { form, copiesImages, choosesSlugs, keepsDeleted, label } = peer.habits;
  describe(`a direct integration with ${peer.name}`, () => {
    let ground: TestGround;
    let dispatcher: RunningDispatcher;
    let images: Receiver;
    let projectId: string;
    let integrationId: string;
    const owner = randomUUID();

    beforeAll(async () => {
      ground = await prepareTestGround();
      dispatcher = await runDispatcher(ground, {
        env: { RETRY_DELAYS_MS: '50', LINK_HEALING_QUIET_MS: '0' },
        ...(providerApis && { providerApis }),
      });
      images = await startReceiver({ respond: ({ path }) => imageAt(path) });
      projectId = randomUUID();
      await addProject(ground, dispatcher, projectId, owner);
      integrationId = (await create()).body.id;
    });
    afterAll(async () => {
      await images.close();
      await dispatcher[Symbol.asyncDispose]();
      await ground[Symbol.asyncDispose]();
    });

    const create = (changes: object = {}) =>
      dispatcher.call<{ id: string; kind: string }>('POST', `/projects/${projectId}/webhooks`, owner, {
        kind: peer.kind,
        ...peer.integration,
        ...changes,
      });
    const deliver = async (event: ReturnType<TestBlog['published']> | ReturnType<TestBlog['unpublished']>) => {
      await ground.append(event, servedEvent(event));
      const [outcome] = await ground.finished(event.id);
      return outcome;
    };
    /** A blog whose posts nobody else has. */
    const newBlog = (ofProject = projectId) => {
      const blog = testBlog(ofProject);
      const name = `post ${blog.id.slice(0, 13)}`;
      const slug = name.replaceAll(' ', '-');
      return {
        ...blog,
        title: name,
        slug,
        published: ({ revision, ...changes }: PublishChanges = {}) =>
          blog.published({ ...changes, revision: { title: name, slug, ...revision } }),
      };
    };
    const imageAt = (path: string) =>
      path.startsWith('/gone') ? { status: 404 } : { headers: { 'content-type': 'image/png' }, body: PNG };

    it('publishes a post with its slug, excerpt, labels and inline styles, and says where it is', async () => {
      const blog = newBlog();
      const content = CONTENT.html;
      const outcome = await deliver(
        blog.published({ revision: { content, excerpt: 'Of drinks.', categories: ['Drinks & more'], tags: ['tea'] } }),
      );
      expect(outcome).toMatchObject({ outcome: 'succeeded', live_url: expect.stringContaining(blog.slug) as string });
      const [post] = await peer.postsTitled(blog.title);
      const slug = choosesSlugs ? blog.slug : (expect.stringContaining(blog.slug) as string);
      expect(post).toMatchObject({ id: outcome?.external_id, slug, excerpt: 'Of drinks.', isShown: true });
      expect(post?.html.replace(/>\s+</g, '><')).toContain(CONTENT[form]);
      const labels = ['Drinks & more', 'tea'].map(label);
      expect(post?.labels.map((name) => name.replace('&amp;', '&')).sort()).toEqual(labels);
    });

    it('returns the URL of a post of any length, even after a large response', async () => {
      const blog = newBlog();
      const revision = { content: '<p>Tea &amp; coffee, again and again.</p>'.repeat(10_000) };
      const first = await deliver(blog.published({ revision }));
      expect(first).toMatchObject({ outcome: 'succeeded', live_url: expect.stringContaining(blog.slug) as string });
      expect(await deliver(blog.published({ revision }))).toMatchObject({
        external_id: first?.external_id,
        live_url: first?.live_url,
      });
    });

    it('updates a post, hides it, shows it again and deletes it', async () => {
      const blog = newBlog();
      const first = await deliver(blog.published());
      const title = `${blog.title} again`;
      const second = await deliver(blog.published({ revision: { title, slug: `${blog.slug}-moved` } }));
      expect(second).toMatchObject({ outcome: 'succeeded', external_id: first?.external_id });
      const moved = choosesSlugs && { slug: `${blog.slug}-moved` };
      expect(await peer.postsTitled(blog.title)).toMatchObject([{ title, ...moved, isShown: true }]);
      await deliver(blog.unpublished());
      expect(await peer.postsTitled(blog.title)).toMatchObject([{ id: first?.external_id, isShown: false }]);
      await deliver(blog.published());
      expect(await peer.postsTitled(blog.title)).toMatchObject([{ id: first?.external_id, isShown: true }]);
      expect(await deliver(blog.deleted())).toMatchObject({ outcome: 'succeeded' });
      const left = keepsDeleted ? [{ id: first?.external_id, isShown: false }] : [];
      expect(await peer.postsTitled(blog.title)).toMatchObject(left);
    });

    it('follows a rename: the post moves there, none is made besides, and what links to it leads to where it is', async () => {
      const [target, linking] = [newBlog(), newBlog()];
      const first = await deliver(target.published());
      const renamed = await deliver(
        target.published({ aliases: [target.slug], revision: { slug: `${target.slug}-new` } }),
      );
      expect(renamed).toMatchObject({ outcome: 'succeeded', external_id: first?.external_id });
      const [moved, ...others] = await peer.postsTitled(target.title);
      expect(others).toEqual([]);
      if (choosesSlugs) expect(moved?.slug).toBe(`${target.slug}-new`);
      await deliver(
        linking.published({
          revision: { content: `<p><a href="[INTERNAL:${target.slug}]">To it</a></p>` },
          link_bindings: [{ slug: target.slug, blog_id: target.id }],
          published_link_targets: [{ slug: target.slug, title: target.title, current_slug: `${target.slug}-new` }],
        }),
      );
      const [copy] = await peer.postsTitled(linking.title);
      expect(copy?.html).toContain(linkTo[form](`https://site.example/blog/${target.slug}-new/`));
    });

    it('heals the links of its copies when a post that they lead to is renamed, or taken down', async () => {
      const project = randomUUID();
      await addProject(ground, dispatcher, project, owner);
      const body = { kind: peer.kind, ...peer.integration, heal_links: true };
      await dispatcher.call('POST', `/projects/${project}/webhooks`, owner, body);
      await eventually(async () =>
        expect(await ground.query('SELECT FROM link_view WHERE project_id = $1', [project])).toHaveLength(1),
      );
      const [target, linking] = [newBlog(project), newBlog(project)];
      const [before, after] = [target.slug, `${target.slug}-new`];
      await deliver(target.published());
      await deliver(
        linking.published({
          revision: { content: `<p><a href="[INTERNAL:${before}]">To it</a></p>` },
          link_bindings: [{ slug: before, blog_id: target.id }],
          published_link_targets: [{ slug: before, title: target.title }],
        }),
      );
      const copies = (html: unknown) =>
        eventually(async () => expect(await peer.postsTitled(linking.title)).toMatchObject([{ html }]), {
          timeoutMs: 60_000,
        });
      const containing = (text: string) => expect.stringContaining(text) as unknown;
      await copies(containing(linkTo[form](`https://site.example/blog/${before}/`)));
      await deliver(target.published({ aliases: [before], revision: { slug: after } }));
      await copies(containing(linkTo[form](`https://site.example/blog/${after}/`)));
      await deliver(target.unpublished());
      await copies(expect.not.stringContaining(after));
    });

    const swaps = () => {
      it('has the slugs of two posts that swap them, in any order of their deliveries', async () => {
        const [one, two] = [newBlog(), newBlog()];
        await deliver(one.published());
        await deliver(two.published());
        // The second is there before the first has gone from its slug.
        const late = one.published({ revision: { slug: two.slug } });
        await deliver(two.published({ revision: { slug: one.slug } }));
        await deliver(late);
        await eventually(
          async () => {
            const slugs = await Promise.all([one, two].map(async ({ title }) => await peer.postsTitled(title)));
            expect(slugs).toMatchObject([[{ slug: two.slug }], [{ slug: one.slug }]]);
          },
          { timeoutMs: 60_000 },
        );
      });
    };
    if (choosesSlugs) swaps();

    it('links to the system’s copies of other posts if configured, else to the site', async () => {
      const target = newBlog();
      // So that it is not where the project has it.
      await peer.write({ title: target.title, slug: target.slug });
      const { live_url: live = null } = (await deliver(target.published())) ?? {};
      const content = `<p><a href="[INTERNAL:${target.slug}]#how">How</a></p>`;
      const linking = newBlog();
      const publish = () =>
        deliver(
          linking.published({
            revision: { content },
            published_link_targets: [{ slug: target.slug, title: target.title }],
          }),
        );
      const path = `/projects/${projectId}/webhooks/${integrationId}`;
      const told = (links: string) =>
        dispatcher.call('PATCH', path, owner, { settings: { ...peer.integration.settings, links } });
      await publish();
      const [before] = await peer.postsTitled(linking.title);
      expect(before?.html).toContain(linkTo[form](`https://site.example/blog/${target.slug}/#how`));
      await told('live');
      await publish();
      const [after] = await peer.postsTitled(linking.title);
      expect(after?.html).toContain(linkTo[form](`${live ?? ''}#how`));
      await told('site');
    });

    it('recreates a post that somebody has deleted there', async () => {
      const blog = newBlog();
      const first = await deliver(blog.published());
      await peer.remove(first?.external_id ?? '');
      expect(await deliver(blog.published())).toMatchObject({ outcome: 'succeeded' });
      expect(await peer.postsTitled(blog.title)).toHaveLength(1);
    });

    it('deletes nothing for a post that it never made', async () => {
      const blog = newBlog();
      expect(await deliver(blog.unpublished())).toMatchObject({ outcome: 'succeeded', status_code: null });
    });

    it('leaves a post alone that has the slug already, and says where its own one is', async () => {
      const blog = newBlog();
      const theirs = await peer.write({ title: blog.title, slug: blog.slug });
      const outcome = await deliver(blog.published());
      expect(outcome?.external_id).not.toBe(theirs);
      const own = (await peer.postsTitled(blog.title)).find(({ id }) => id === outcome?.external_id);
      expect(own?.slug).toEqual(choosesSlugs ? `${blog.slug}-2` : (expect.stringContaining(`${blog.slug}-`) as string));
    });

    it.each([
      ['reuses the post', 'of a title and a time that fit', '', 0, 1],
      ['makes another one', 'of another title', 'x', 0, 2],
      ['makes another one', 'of 36 minutes ago', '', 36, 2],
    ])('%s that an interrupted attempt may have left, %s (§6.7)', async (_what, _which, suffix, minutes, count) => {
      const blog = newBlog();
      const canonicalUrl = `https://site.example/blog/${blog.slug}/`;
      await peer.write({ title: `${blog.title}${suffix}`, slug: blog.slug, ...(count === 1 && { canonicalUrl }) });
      // What an attempt leaves that dies between the request and the record.
      await ground.query(
        `INSERT INTO destination_post (integration_id, blog_id, slug, title, asked_at)
         VALUES ($1, $2, $3, $4, now() + $5 * interval '1 minute')`,
        [integrationId, blog.id, blog.slug, blog.title, minutes],
      );
      expect(await deliver(blog.published())).toMatchObject({ outcome: 'succeeded' });
      expect(await peer.postsTitled(blog.title)).toHaveLength(count);
    });

    const makesOne = () => {
      it('reuses the post that an interrupted attempt may have left under a slug like its own, which was taken (§6.7)', async () => {
        const blog = newBlog();
        await peer.write({ title: `Of somebody else: ${blog.title}`, slug: blog.slug });
        await peer.write({ title: blog.title, slug: `${blog.slug}-2` });
        await ground.query(
          `INSERT INTO destination_post (integration_id, blog_id, slug, title, asked_at)
           VALUES ($1, $2, $3, $4, now())`,
          [integrationId, blog.id, blog.slug, blog.title],
        );
        expect(await deliver(blog.published())).toMatchObject({ outcome: 'succeeded' });
        expect(await peer.postsTitled(blog.title)).toHaveLength(1);
      });
    };
    if (choosesSlugs) makesOne();

    const takesOver = () => {
      it('copies images once, and keeps the URL of one that cannot be fetched', async () => {
        const blog = newBlog();
        const at = (path: string) => `http://127.0.0.1:${images.port}/${blog.id}${path}`;
        const gone = `http://127.0.0.1:${images.port}/gone-${blog.id}.png`;
        const content = `<p><img src="${at('/a.png')}" alt="A"><img src="${gone}" alt=""></p>`;
        const revision = { content, featured_image_url: at('/hero.png') };
        await deliver(blog.published({ revision }));
        await deliver(blog.published({ revision }));
        const [post] = await peer.postsTitled(blog.title);
        const { origin } = new URL(peer.integration.url);
        expect(post?.featuredImage).toContain(origin);
        expect(post?.html).toContain(`src="${gone}"`);
        expect(post?.html).not.toContain(at('/a.png'));
        const [, copy = ''] = /src="([^"]+)" alt="A"/.exec(post?.html ?? '') ?? [];
        expect(
          Buffer.from(await (await fetch(copy)).arrayBuffer())
            .subarray(1, 4)
            .toString(),
        ).toBe('PNG');
        const fetched = images.requests.map(({ path }) => path).filter((path) => path.startsWith(`/${blog.id}`));
        expect(fetched.sort()).toEqual([`/${blog.id}/a.png`, `/${blog.id}/hero.png`]);
      });
    };
    const showsWhereTheyAre = () => {
      it('shows images where they are, the featured one too', async () => {
        const blog = newBlog();
        const [hero, inBody] = ['hero', 'a'].map((name) => `http://127.0.0.1:${images.port}/${blog.id}/${name}.png`);
        const content = `<p><img src="${inBody}" alt="A"></p>`;
        await deliver(blog.published({ revision: { content, featured_image_url: hero ?? null } }));
        const [post] = await peer.postsTitled(blog.title);
        expect(post?.featuredImage).toBe(hero);
        expect(post?.html).toContain(inBody);
        expect(images.requests.filter(({ path }) => path.includes(blog.id))).toEqual([]);
      });
    };
    if (copiesImages) takesOver();
    else showsWhereTheyAre();

    it('says by a test whether it may write, shows no credential, and fails permanently with a wrong one', async () => {
      const path = `/projects/${projectId}/webhooks/${integrationId}`;
      expect((await dispatcher.call('POST', `${path}/test`, owner)).body).toMatchObject({ success: true });
      const other = randomUUID();
      await addProject(ground, dispatcher, other, owner);
      const made = await dispatcher.call<{ id: string }>('POST', `/projects/${other}/webhooks`, owner, {
        kind: peer.kind,
        ...peer.integration,
        secret: peer.wrongSecret,
      });
      const wrong = `/projects/${other}/webhooks/${made.body.id}`;
      const tested = (await dispatcher.call('POST', `${wrong}/test`, owner)).body;
      expect(tested).toMatchObject({ success: false, status_code: 401, hint: expect.any(String) as string });
      const event = testBlog(other).published({ trigger: 'autopilot' });
      await ground.append(event, servedEvent(event));
      expect(await ground.finished(event.id)).toMatchObject([{ outcome: 'failed', status_code: 401, attempts: 1 }]);
      const log = await dispatcher.call<{ items: { id: string }[] }>('GET', `/projects/${other}/deliveries`, owner);
      for (const { id } of log.body.items) {
        const detail = await dispatcher.call('GET', `/projects/${other}/deliveries/${id}`, owner);
        expect(JSON.stringify(detail.body)).not.toContain(peer.wrongSecret.split(':').at(-1));
        expect(JSON.stringify(detail.body)).not.toMatch(/"(authorization|api-key|x-shopify-access-token)"/i);
      }
    });

    it('keeps the credential sealed, and is no webhook: it has no sample', async () => {
      const [row] = await ground.query('SELECT * FROM integration WHERE id = $1', [integrationId]);
      expect(JSON.stringify(row)).not.toContain(peer.integration.secret);
      const sample = await dispatcher.call('GET', `/projects/${projectId}/webhooks/${integrationId}/sample`, owner);
      expect(sample.status).toBe(409);
    });
  });
}
