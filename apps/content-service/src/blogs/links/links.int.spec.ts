import { randomUUID } from 'node:crypto';
import type { BlogPublishedEvent, BlogSlugsChangedEvent, LifecycleEvent } from '@blog-content/payload-schemas';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let account: Owner;
/** A project of its own for each test. */
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  account = await startOwner(service);
});
beforeEach(async () => {
  owner = await account.inNewProject();
});
afterAll(() => service[Symbol.asyncDispose]());

type Post = { id: string; slug: string; version: number };

/** A post with this slug as its title. */
const draft = (slug: string, fields: object = {}): Promise<Post> => owner.newBlog({ title: slug, slug, ...fields });
const published = async (slug: string, fields: object = {}): Promise<Post> => {
  const post = await draft(slug, fields);
  await publish(post);
  return post;
};
const publish = async (post: { id: string }) => {
  expect((await owner.publish(post)).status).toBe(202);
};
const rename = async (post: { id: string }, slug: string, fields: object = {}) => {
  const answer = await owner.patch(`/blogs/${post.id}`, { slug, ...fields });
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
};
const linksTo = (...slugs: string[]) => ({
  content: slugs.map((slug) => `<p><a href="[INTERNAL:${slug}]">it</a></p>`).join(''),
});
const contentOf = async (post: { id: string }) => (await owner.show(post)).content as string;
const namedIn = (content: string) => [...content.matchAll(/\[INTERNAL:([^\]]*)\]/g)].map(([, slug]) => slug);
const linksOf = async (post: { id: string }) => namedIn(await contentOf(post));

/** The last publish of a post, with what its links lead to. */
async function lastPublish(post: { id: string }) {
  const event = (await owner.eventsOf(post)).findLast(
    (one: LifecycleEvent): one is BlogPublishedEvent => one.event === 'blog.published',
  )!;
  return {
    named: namedIn(event.revision.content),
    targets: event.published_link_targets,
    bound: event.link_bindings,
    aliases: event.aliases,
  };
}

async function slugEvents(post: { id: string }): Promise<BlogSlugsChangedEvent[]> {
  const rows = await service.query<{ data: BlogSlugsChangedEvent }>(
    `select data from outbox where topic = 'blog.lifecycle' and key = $1 order by position`,
    [`${post.id}/slugs`],
  );
  return rows.map(({ data }) => data);
}

describe('a link belongs to the post that had its slug when it was saved', () => {
  it('follows a rename without a change of the linking post', async () => {
    const target = await published('tea');
    const linker = await published('linker', linksTo('tea'));
    const { version } = await owner.show(linker);
    await rename(target, 'green-tea');
    expect(await owner.show(linker)).toMatchObject({ version, has_unpublished_changes: false });
    expect(await linksOf(linker)).toEqual(['green-tea']);
    await publish(target);
    await publish(linker);
    expect(await lastPublish(linker)).toEqual({
      named: ['green-tea'],
      targets: [{ slug: 'green-tea', title: 'tea' }],
      bound: [{ slug: 'green-tea', blog_id: target.id }],
      aliases: [],
    });
  });

  it('is published under the slug that readers know, while a rename of its target is not', async () => {
    const target = await published('tea');
    const linker = await draft('linker', linksTo('tea'));
    await rename(target, 'green-tea');
    await publish(linker);
    expect(await linksOf(linker)).toEqual(['green-tea']);
    expect(await lastPublish(linker)).toMatchObject({
      named: ['tea'],
      targets: [{ slug: 'tea', title: 'tea' }],
      bound: [{ slug: 'tea', blog_id: target.id }],
    });
  });

  it('goes with its target, not with its slug, when two posts swap theirs', async () => {
    const [a, b] = [await published('a'), await published('b')];
    const linker = await published('linker', linksTo('a', 'b'));
    await rename(a, 'c');
    await publish(a);
    await rename(b, 'a', { release_alias: true });
    await publish(b);
    await rename(a, 'b', { release_alias: true });
    await publish(a);
    expect(await linksOf(linker)).toEqual(['b', 'a']);
    await publish(linker);
    expect(await lastPublish(linker)).toMatchObject({
      named: ['b', 'a'],
      targets: [
        { slug: 'b', title: 'a' },
        { slug: 'a', title: 'b' },
      ],
      bound: [
        { slug: 'b', blog_id: a.id },
        { slug: 'a', blog_id: b.id },
      ],
    });
  });

  it('stays right when three posts pass their slugs on in a circle', async () => {
    const posts = [await published('a'), await published('b'), await published('c')];
    const linker = await published('linker', linksTo('a', 'b', 'c'));
    await rename(posts[0]!, 'free');
    await publish(posts[0]!);
    for (const [index, slug] of [
      [2, 'a'],
      [1, 'c'],
      [0, 'b'],
    ] as const) {
      await rename(posts[index]!, slug, { release_alias: true });
      await publish(posts[index]!);
    }
    expect(await linksOf(linker)).toEqual(['b', 'c', 'a']);
    await publish(linker);
    expect((await lastPublish(linker)).bound).toEqual(
      expect.arrayContaining(['b', 'c', 'a'].map((slug, index) => ({ slug, blog_id: posts[index]!.id }))),
    );
  });

  it('never leads to the next post that takes the old slug', async () => {
    const target = await published('old');
    const linker = await published('linker', linksTo('old'));
    await rename(target, 'new');
    await publish(target);
    const other = await published('old', { title: 'Quite another thing', release_alias: true });
    await publish(linker);
    expect(await lastPublish(linker)).toMatchObject({ named: ['new'], bound: [{ slug: 'new', blog_id: target.id }] });
    const late = await published('late', linksTo('old'));
    expect(await lastPublish(late)).toMatchObject({ bound: [{ slug: 'old', blog_id: other.id }] });
  });

  it('goes with a draft that is renamed, and with one that was not there yet', async () => {
    const linker = await draft('linker', linksTo('first', 'second'));
    const [first, second] = [await draft('first'), await draft('second')];
    await rename(first, 'second-first');
    await rename(second, 'first');
    expect(await linksOf(linker)).toEqual(['second-first', 'first']);
    await publish(linker);
    expect(await lastPublish(linker)).toMatchObject({
      named: ['second-first', 'first'],
      targets: [],
      bound: [
        { slug: 'second-first', blog_id: first.id },
        { slug: 'first', blog_id: second.id },
      ],
    });
  });

  it('names the last slug of a target that was deleted, and may then lead to another post by that slug', async () => {
    const target = await published('a');
    const linker = await draft('linker', linksTo('a'));
    await rename(target, 'b');
    await publish(target);
    await owner.remove(`/blogs/${target.id}`);
    expect(await linksOf(linker)).toEqual(['b']);
    await draft('a');
    await published('b', { title: 'Another b' });
    await publish(linker);
    expect(await lastPublish(linker)).toMatchObject({
      named: ['b'],
      targets: [{ slug: 'b', title: 'Another b' }],
      bound: [{ slug: 'b', blog_id: target.id }],
    });
  });

  it('leads nowhere while its target is not published', async () => {
    const target = await published('tea');
    const linker = await draft('linker', linksTo('tea'));
    await owner.post(`/blogs/${target.id}/unpublish`);
    await rename(target, 'green-tea');
    await publish(linker);
    expect(await lastPublish(linker)).toMatchObject({
      named: ['green-tea'],
      targets: [],
      bound: [{ slug: 'green-tea', blog_id: target.id }],
    });
  });

  it('belongs to one post when a content names it by an alias and by its slug', async () => {
    const target = await published('tea');
    await rename(target, 'green-tea');
    await publish(target);
    const linker = await published('linker', linksTo('tea', 'green-tea'));
    expect(await linksOf(linker)).toEqual(['green-tea', 'green-tea']);
    expect(await lastPublish(linker)).toMatchObject({
      named: ['green-tea', 'green-tea'],
      targets: [{ slug: 'green-tea', title: 'tea' }],
      bound: [{ slug: 'green-tea', blog_id: target.id }],
    });
  });

  it('is kept by a save without content, and by one of the content as it was read', async () => {
    const target = await draft('a');
    const linker = await draft('linker', { content_markdown: 'See [it]([INTERNAL:a]#b).' });
    await rename(target, 'b');
    const read = await owner.show(linker);
    expect(read).toMatchObject({ content_markdown: 'See [it]([INTERNAL:b]#b).', version: linker.version });
    const path = `/blogs/${linker.id}`;
    const unchanged = await owner.patch(
      path,
      { content_markdown: read.content_markdown },
      { 'if-match': `"${read.version}"` },
    );
    expect(unchanged).toMatchObject({ status: 200, body: { version: read.version } });
    await owner.patch(path, { title: 'Other' });
    await rename(target, 'c');
    expect(await linksOf(linker)).toEqual(['c']);
    await rename(target, 'a');
    expect((await owner.show(linker)).content_markdown).toBe('See [it]([INTERNAL:a]#b).');
  });

  it('is bound anew by a save of its content, and by the same content where another post has the slug now', async () => {
    const first = await draft('a');
    const linker = await draft('linker', linksTo('a'));
    await rename(first, 'b');
    const second = await draft('a');
    const saved = await owner.patch(`/blogs/${linker.id}`, linksTo('a'));
    expect([namedIn(saved.body.content), saved.body.version]).toEqual([['a'], linker.version + 1]);
    await rename(second, 'c');
    expect(await linksOf(linker)).toEqual(['c']);
  });

  it('comes back with the revision that had it', async () => {
    const [a, b] = [await published('a'), await published('b')];
    const linker = await published('linker', linksTo('a'));
    await owner.patch(`/blogs/${linker.id}`, linksTo('b'));
    await publish(linker);
    await rename(a, 'a-2');
    await publish(a);
    await rename(b, 'a', { release_alias: true });
    expect(namedIn((await owner.get(`/blogs/${linker.id}/revisions/1`)).body.content)).toEqual(['a-2']);
    expect((await owner.get(`/blogs/${linker.id}/revisions/1/diff?to=2`)).body.content).toEqual([
      { change: 'removed', html: expect.stringContaining('[INTERNAL:a-2]') },
      { change: 'added', html: expect.stringContaining('[INTERNAL:a]') },
    ]);
    const restored = await owner.post(`/blogs/${linker.id}/revisions/1/restore`);
    expect(namedIn(restored.body.content)).toEqual(['a-2']);
    await rename(a, 'a-3');
    expect(await linksOf(linker)).toEqual(['a-3']);
  });

  it('goes by its slug where it belongs to no post, also to the post that has it as an alias', async () => {
    const target = await published('tea');
    const linker = await draft('linker', linksTo('tea', 'nothing'));
    await service.query('update blog_link set target_id = null where blog_id = $1', [linker.id]);
    await rename(target, 'green-tea');
    await publish(target);
    await publish(linker);
    expect(await lastPublish(linker)).toMatchObject({
      named: ['tea', 'nothing'],
      targets: [{ slug: 'tea', title: 'tea', current_slug: 'green-tea' }],
      bound: [],
    });
  });

  it('does not lead to the post itself', async () => {
    const post = await published('tea', linksTo('tea'));
    await rename(post, 'green-tea');
    await publish(post);
    expect(await lastPublish(post)).toEqual({
      named: ['green-tea'],
      targets: [],
      bound: [{ slug: 'green-tea', blog_id: post.id }],
      aliases: ['tea'],
    });
  });
});

describe('aliases', () => {
  it('are all slugs that a post was published under, but for those that it has now', async () => {
    const post = await published('a');
    await rename(post, 'never-seen');
    await rename(post, 'b');
    expect((await owner.show(post)).aliases).toEqual([]);
    await publish(post);
    await rename(post, 'c');
    expect((await owner.show(post)).aliases).toEqual(['a']);
    await publish(post);
    expect((await owner.show(post)).aliases).toEqual(['a', 'b']);
    expect((await lastPublish(post)).aliases).toEqual(['a', 'b']);
    await rename(post, 'a');
    expect((await owner.show(post)).aliases).toEqual(['b']);
    await publish(post);
    expect((await lastPublish(post)).aliases).toEqual(['b', 'c']);
    expect(await draft('never-seen')).toMatchObject({ slug: 'never-seen' });
  });

  it('stay when the post is unpublished, and go with it', async () => {
    const post = await published('a');
    await rename(post, 'b');
    const unpublished = await owner.post(`/blogs/${post.id}/unpublish`);
    expect(unpublished.body.aliases).toEqual(['a']);
    expect((await owner.post('/blogs', { title: 'x', slug: 'a' })).status).toBe(409);
    await owner.remove(`/blogs/${post.id}`);
    await draft('a');
    await draft('b');
  });

  it('are avoided by slugs that are made, and refused to posts that give one, by the name of the post that has it', async () => {
    const post = await published('tea', { title: 'Tea' });
    await rename(post, 'green-tea');
    await publish(post);
    expect(await owner.newBlog({ title: 'Tea' })).toMatchObject({ slug: 'tea-2' });
    const other = await draft('other');
    for (const refused of [
      await owner.post('/blogs', { title: 'x', slug: 'tea' }),
      await owner.patch(`/blogs/${other.id}`, { slug: 'tea' }),
    ]) {
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        `The slug “tea” is an alias of “Tea” (${post.id}): choose another, or take it with \`release_alias: true\`.`,
      ]);
    }
    await rename(other, 'tea', { release_alias: true });
    expect((await owner.show(post)).aliases).toEqual([]);
    expect(await slugEvents(post)).toMatchObject([{ blog_event_number: 3, slug: 'green-tea', aliases: [] }]);
    await publish(post);
    expect((await owner.eventsOf(post)).at(-1)).toMatchObject({ blog_event_number: 4, aliases: [] });
  });

  it('are given away, but no slug that a post has now', async () => {
    const post = await published('a');
    await rename(post, 'b');
    for (const slug of ['a', 'b']) {
      const refused = await owner.post('/blogs', { title: 'x', slug, release_alias: true });
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        `The slug “${slug}” is taken by “a” (${post.id}): choose another.`,
      ]);
    }
    expect(await slugEvents(post)).toEqual([]);
  });

  it('are at most 200 of a post, which is told to release one before it takes another slug', async () => {
    const post = await published('now');
    await service.query(
      `insert into slug_claim select project_id, 'old-' || n, id, true from blog, generate_series(1, 199) n where id = $1`,
      [post.id],
    );
    await rename(post, 'next');
    await publish(post);
    expect((await lastPublish(post)).aliases).toHaveLength(200);
    const refused = await owner.patch(`/blogs/${post.id}`, { slug: 'one-more' });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('200 aliases')]);
    expect(await owner.show(post)).toMatchObject({ slug: 'next', version: post.version + 1 });
    await rename(post, 'old-7');
    await publish(post);
    expect((await lastPublish(post)).aliases).toHaveLength(200);
  });
});

describe('readers hear of slugs that change without a publish', () => {
  it('when a post that was published before is renamed, and not when it is published or never was', async () => {
    const post = await draft('a');
    await rename(post, 'b');
    await publish(post);
    await rename(post, 'c');
    expect(await slugEvents(post)).toEqual([]);
    await owner.post(`/blogs/${post.id}/unpublish`);
    expect(await slugEvents(post)).toMatchObject([
      { blog_event_number: 3, trigger: 'manual', slug: 'c', aliases: ['b'] },
    ]);
    await rename(post, 'd');
    expect((await slugEvents(post)).slice(1)).toMatchObject([{ blog_event_number: 4, slug: 'd', aliases: ['b'] }]);
  });

  it('when a draft is renamed that published links lead to', async () => {
    const post = await draft('a');
    const linker = await draft('linker', linksTo('a'));
    await rename(post, 'b');
    expect(await slugEvents(post)).toEqual([]);
    await publish(linker);
    await rename(post, 'c');
    expect(await slugEvents(post)).toMatchObject([{ blog_event_number: 1, slug: 'c', aliases: [] }]);
    await owner.post(`/blogs/${linker.id}/unpublish`);
    await rename(post, 'd');
    expect(await slugEvents(post)).toHaveLength(1);
    await publish(post);
    expect((await owner.eventsOf(post))[0]).toMatchObject({ blog_event_number: 2 });
  });
});

describe('requests at the same time', () => {
  it('let one of two posts have an alias', async () => {
    const post = await published('a');
    await rename(post, 'b');
    await publish(post);
    const rivals = await Promise.all(Array.from({ length: 6 }, (_, index) => draft(`rival-${index}`)));
    const answers = await Promise.all(
      rivals.map((rival) => owner.patch(`/blogs/${rival.id}`, { slug: 'a', release_alias: true })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await slugEvents(post)).toHaveLength(1);
    expect(
      (await service.query(`select 1 from blog where project_id = $1 and slug = 'a'`, [owner.project])).length,
    ).toBe(1);
  });

  it('take aliases of each other without a deadlock', async () => {
    const [a, b] = [await published('a'), await published('b')];
    await rename(a, 'a-2');
    await rename(b, 'b-2');
    await Promise.all([publish(a), publish(b)]);
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        owner.patch(`/blogs/${a.id}`, { slug: 'b', release_alias: true }),
        owner.patch(`/blogs/${b.id}`, { slug: 'a', release_alias: true }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await rename(a, 'a-2');
      await rename(b, 'b-2');
      await Promise.all([rename(a, `a-${randomUUID()}`), rename(b, `b-${randomUUID()}`)]);
      await rename(a, 'a', { release_alias: true });
      await rename(b, 'b', { release_alias: true });
      await Promise.all([publish(a), publish(b)]);
      await rename(a, 'a-2');
      await rename(b, 'b-2');
      await Promise.all([publish(a), publish(b)]);
    }
  });

  it('rename a post, publish one that links to it, save and create others, without a deadlock', async () => {
    const target = await published('target');
    const linkers = await Promise.all(
      Array.from({ length: 3 }, (_, index) => draft(`linker-${index}`, linksTo('target'))),
    );
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        owner.patch(`/blogs/${target.id}`, { slug: `target-${round}` }),
        owner.publish(target),
        ...linkers.map((linker) => owner.publish(linker)),
        ...linkers.map((linker) => owner.patch(`/blogs/${linker.id}`, linksTo(`new-${round}`, `target-${round}`))),
        owner.post('/blogs', { title: `new ${round}`, ...linksTo('linker-0', `target-${round}`) }),
      ]);
      expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
    }
  });

  it('bind a link to the post that is created with its slug beside it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const linker = await draft(`linker-${round}`);
      const [, created] = await Promise.all([
        owner.patch(`/blogs/${linker.id}`, linksTo(`born-${round}`)),
        owner.post('/blogs', { title: `born ${round}` }),
      ]);
      await rename(created.body, `renamed-${round}`);
      expect(await linksOf(linker)).toEqual([`renamed-${round}`]);
    }
  });
});
