import { randomUUID } from 'node:crypto';
import { linkedPosts } from '../../../test/linked-posts.ts';
import { eachInNewProject, type Owner } from '../../../test/owner.ts';
import type { RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const { draft, published, publish, rename, linksTo, linksOf, lastPublish, slugEvents } = linkedPosts(() => ({
  service,
  owner,
}));

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
        `The slug “tea” is an alias of “Tea” (${post.id}). Choose another, or take it with \`release_alias: true\`.`,
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
        `The slug “${slug}” is taken by “a” (${post.id}). Choose another.`,
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
