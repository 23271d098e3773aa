import { linkedPosts } from '../../../test/linked-posts.ts';
import { eachInNewProject, type Owner } from '../../../test/owner.ts';
import type { RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const { draft, published, publish, rename, linksTo, namedIn, linksOf, lastPublish } = linkedPosts(() => ({
  service,
  owner,
}));

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
