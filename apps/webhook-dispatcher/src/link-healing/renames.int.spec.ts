import { randomUUID } from 'node:crypto';
import { testBlog, type PublishChanges, type TestBlog } from '../../test/events.ts';
import { eachHealing, under as underTitle, type Healing } from '../../test/healing.ts';
import type { TestQueue } from '../../test/queue.ts';

let queue: TestQueue;
let on: Healing;
let projectId: string;
let receiver: string;
let target: TestBlog;
let linking: TestBlog;

eachHealing((ground) => ({ queue, on, projectId, receiver } = ground));
beforeEach(() => {
  target = testBlog(projectId);
  linking = testBlog(projectId);
});

const TITLE = 'Target';
/** A post whose placeholders are bound to blogs, or to nothing. */
const linkingTo = (links: Record<string, TestBlog | null>, published: readonly string[] = []): PublishChanges => ({
  revision: {
    slug: 'linking',
    title: 'Linking',
    content: Object.keys(links)
      .map((slug) => `<p><a href="[INTERNAL:${slug}]">link</a></p>`)
      .join(''),
  },
  link_bindings: Object.entries(links).flatMap(([slug, blog]) => (blog === null ? [] : [{ slug, blog_id: blog.id }])),
  published_link_targets: published.map((slug) => ({ slug, title: TITLE })),
});
const under = (slug: string) => underTitle(slug, TITLE);
const renamed = (slug: string, ...aliases: string[]): PublishChanges => ({ ...under(slug), aliases });
const copyOf = (blog: TestBlog) => on.copyOf(receiver, blog)?.content;
const copy = () => copyOf(linking);
const to = (...slugs: (string | null)[]) =>
  slugs
    .map((slug) => (slug === null ? '<p>link</p>' : `<p><a href="https://site.example/blog/${slug}/">link</a></p>`))
    .join('');
const heal = () => on.healAll(projectId);
const setHealing = (healLinks: boolean) => queue.integrations.update(projectId, receiver, { healLinks });
const forgetAll = async () => {
  while (!(await on.views.forgetNext(projectId)));
};
const turnOn = async () => {
  await setHealing(true);
  await on.readAll();
  for (let round = 0; round < 5; round += 1) await on.heal(projectId, { perHour: 0 });
  return heal();
};

describe('a link that is bound to a post', () => {
  it('follows each rename of it, even if another post takes the old slug', async () => {
    await on.publish(target.published(renamed('old')));
    await on.publish(linking.published(linkingTo({ old: target }, ['old'])));
    await on.publish(target.published(renamed('new', 'old')));
    expect(await heal()).toBe(1);
    expect(copy()).toBe(to('new'));
    await on.publish(testBlog(projectId).published(under('old')), target.published(renamed('newest', 'new')));
    expect(await heal()).toBe(1);
    expect(copy()).toBe(to('newest'));
  });

  it('is in its data too: the receiver gets the slug of now, and null once the post is gone', async () => {
    const { id: blog_id } = target;
    await on.publish(target.published(renamed('old')));
    await on.publish(
      linking.published({
        revision: { slug: 'linking', title: 'Linking', content: '<p>x</p>', data: { next: { post_id: blog_id } } },
        link_bindings: [{ slug: 'old', blog_id }],
        published_link_targets: [{ slug: 'old', title: TITLE, blog_id }],
      }),
    );
    const next = () => on.copyOf(receiver, linking)?.data?.['next'];
    expect(next()).toEqual({ id: blog_id, slug: 'old' });
    await heal();
    await on.publish(target.published(renamed('new', 'old')));
    expect(await heal()).toBe(1);
    expect(next()).toEqual({ id: blog_id, slug: 'new' });
    await on.publish(target.deleted());
    expect(await heal()).toBe(1);
    expect(next()).toBeNull();
    await on.publish(testBlog(projectId).published(renamed('new')));
    await heal();
    expect(next()).toBeNull();
  });

  it('follows a swap, and a cycle of three, each link its own post', async () => {
    const [a, b, c] = [testBlog(projectId), testBlog(projectId), testBlog(projectId)];
    const call = (one: string, two: string, three: string) =>
      on.publish(a.published(renamed(one)), b.published(renamed(two)), c.published(renamed(three)));
    await call('a', 'b', 'c');
    await on.publish(linking.published(linkingTo({ a, b, c }, ['a', 'b', 'c'])));
    await heal();
    await call('b', 'a', 'c');
    await heal();
    expect(copy()).toBe(to('b', 'a', 'c'));
    await call('c', 'b', 'a');
    await heal();
    expect(copy()).toBe(to('c', 'b', 'a'));
    await call('a', 'b', 'c');
    await heal();
    expect(copy()).toBe(to('a', 'b', 'c'));
  });

  it('is not sent again when another post takes the slug that its text names', async () => {
    await on.publish(target.published(renamed('old')));
    await on.publish(linking.published(linkingTo({ old: target }, ['old'])));
    await on.publish(target.published(renamed('new')));
    await heal();
    await on.publish(testBlog(projectId).published(under('old')));
    expect(await heal()).toBe(0);
  });

  it('goes by the slug of the post while that is not published: another one that has it is linked, else none', async () => {
    await on.publish(target.published(renamed('old')));
    await on.publish(linking.published(linkingTo({ old: target }, ['old'])));
    await on.publish(target.published(renamed('new', 'old')));
    await on.publish(target.unpublished());
    await heal();
    expect(copy()).toBe(to(null));
    const [other, another] = [testBlog(projectId), testBlog(projectId)];
    await on.publish(other.published(under('old')));
    expect(await heal()).toBe(0);
    await on.publish(other.published(under('new')));
    await heal();
    expect(copy()).toBe(to('new'));
    await on.publish(other.unpublished());
    await heal();
    expect(copy()).toBe(to(null));
    // It is renamed while it is not published.
    await on.changeSlugs(target.slugsChanged('newest', ['new', 'old']));
    await on.publish(another.published(under('newest')));
    await heal();
    expect(copy()).toBe(to('newest'));
    await on.publish(another.deleted());
    await on.publish(target.published(renamed('back', 'newest', 'new', 'old')));
    await heal();
    expect(copy()).toBe(to('back'));
  });

  it('goes by the slug in the text while nothing was ever heard of the post', async () => {
    await on.publish(linking.published(linkingTo({ draft: target })));
    const other = testBlog(projectId);
    await on.publish(other.published(under('draft')));
    await heal();
    expect(copy()).toBe(to('draft'));
    await on.changeSlugs(target.slugsChanged('renamed-draft'));
    await heal();
    expect(copy()).toBe(to(null));
    await on.publish(target.published(renamed('renamed-draft')));
    await heal();
    expect(copy()).toBe(to('renamed-draft'));
  });

  it('never leads to the post itself', async () => {
    const revision = { slug: 'linking', content: '<p><a href="[INTERNAL:linking]">link</a></p>' };
    const bound = { link_bindings: [{ slug: 'linking', blog_id: linking.id }] };
    await on.publish(linking.published({ ...bound, revision }));
    await on.publish(linking.published({ ...bound, revision: { ...revision, slug: 'renamed' } }));
    expect(await heal()).toBe(0);
    expect(copy()).toBe(to(null));
  });
});

describe('a link that is bound to nothing', () => {
  it('leads to the post that has the slug, before one whose alias it is, and to nothing once that is released', async () => {
    await on.publish(linking.published(linkingTo({ name: null })));
    await on.publish(target.published(renamed('target', 'name')));
    await heal();
    expect(copy()).toBe(to('target'));
    const other = testBlog(projectId);
    await on.publish(other.published(under('name')));
    await heal();
    expect(copy()).toBe(to('name'));
    await on.publish(other.unpublished());
    await heal();
    expect(copy()).toBe(to('target'));
    await on.publish(target.published(renamed('moved', 'target', 'name')));
    await heal();
    expect(copy()).toBe(to('moved'));
    await on.changeSlugs(target.slugsChanged('moved', ['target']));
    await heal();
    expect(copy()).toBe(to(null));
  });

  it('leads to no alias of a post that is not published, or is deleted', async () => {
    await on.publish(target.published(renamed('target', 'name')));
    await on.publish(linking.published(linkingTo({ name: null })));
    await heal();
    expect(copy()).toBe(to('target'));
    await on.publish(target.unpublished());
    await heal();
    expect(copy()).toBe(to(null));
    await on.publish(target.published(renamed('target', 'name')));
    await heal();
    expect(copy()).toBe(to('target'));
    await on.publish(target.deleted());
    await heal();
    expect(copy()).toBe(to(null));
    expect(await queue.query('SELECT FROM blog_alias')).toEqual([]);
  });

  it('changes nothing where an event comes twice, or late', async () => {
    const [first, released, second] = [
      target.published(renamed('target', 'name')),
      target.slugsChanged('target', []),
      target.published(renamed('target')),
    ];
    await on.publish(first);
    await on.publish(linking.published(linkingTo({ name: null })));
    await on.changeSlugs(released);
    await on.publish(second, first);
    await on.changeSlugs(released);
    await heal();
    expect(copy()).toBe(to(null));
    expect(await queue.query('SELECT slug, event_number FROM blog_slug WHERE blog_id = $1', [target.id])).toEqual([
      { slug: 'target', event_number: second.data.blog_event_number },
    ]);
  });
});

describe('many posts', () => {
  it('that link to a renamed one are marked in parts, and all of them', async () => {
    await on.publish(target.published(renamed('old')));
    await heal();
    const posts = Array.from({ length: 250 }, () => testBlog(projectId));
    await on.attempts.plan(...posts.map((post) => post.published(linkingTo({ old: target }, ['old']))));
    await on.deliverAll();
    expect(await heal()).toBe(0);
    await on.publish(target.published(renamed('new', 'old')));
    await on.heal(projectId, { perHour: 0 });
    expect(await queue.query('SELECT FROM link_healing')).toHaveLength(100);
    await heal();
    for (const post of posts) expect(copyOf(post)).toBe(to('new'));
  });
});

describe('turning healing on', () => {
  it('sends again what is stale already: renamed, taken down, and published since, and nothing else', async () => {
    await setHealing(false);
    await forgetAll();
    const [gone, kept, later] = [testBlog(projectId), testBlog(projectId), testBlog(projectId)];
    const [toGone, toKept, toLater] = [testBlog(projectId), testBlog(projectId), testBlog(projectId)];
    await on.publish(target.published(renamed('old')), gone.published(under('gone')), kept.published(under('kept')));
    await on.publish(
      linking.published(linkingTo({ old: target }, ['old'])),
      toGone.published(linkingTo({ gone }, ['gone'])),
      toKept.published(linkingTo({ kept }, ['kept'])),
      toLater.published(linkingTo({ later })),
    );
    await on.publish(target.published(renamed('new', 'old')), gone.unpublished(), later.published(under('later')));
    expect([copy(), copyOf(toGone), copyOf(toLater)]).toEqual([to('old'), to('gone'), to(null)]);

    expect(await turnOn()).toBe(3);
    expect([copy(), copyOf(toGone), copyOf(toKept), copyOf(toLater)]).toEqual(
      ['new', null, 'kept', 'later'].map((slug) => to(slug)),
    );
    expect(await queue.query('SELECT FROM link_recheck')).toEqual([]);
  });

  it('knows what posts were called that were taken down, or renamed, before', async () => {
    await setHealing(false);
    await forgetAll();
    await on.publish(target.published(renamed('old')));
    await on.publish(linking.published(linkingTo({ old: target }, ['old'])));
    await on.publish(target.published(renamed('new', 'old')));
    await on.publish(target.unpublished(), testBlog(projectId).published(under('newest')));
    await on.changeSlugs(target.slugsChanged('newest', ['old', 'new']));
    await turnOn();
    expect(copy()).toBe(to('newest'));
  });

  it('sends again what was healed before, turned off, and became stale by going back to what was published', async () => {
    await on.publish(linking.published(linkingTo({ target })));
    await on.publish(target.published(renamed('target')));
    await heal();
    expect(copy()).toBe(to('target'));
    await setHealing(false);
    await forgetAll();
    await on.publish(target.unpublished());
    await turnOn();
    expect(copy()).toBe(to(null));
  });

  it('compares all that a receiver has, in parts', async () => {
    await setHealing(false);
    await forgetAll();
    await on.publish(target.published(renamed('old')));
    const posts = Array.from({ length: 450 }, () => testBlog(projectId));
    for (let at = 0; at < posts.length; at += 90) {
      await on.publish(...posts.slice(at, at + 90).map((post) => post.published(linkingTo({ old: target }, ['old']))));
    }
    await on.publish(target.published(renamed('new', 'old')));
    await setHealing(true);
    await on.readAll();
    await on.heal(projectId, { perHour: 0 });
    const marked = await queue.query('SELECT FROM link_healing');
    // The target may be one of the two hundred that were compared.
    expect([199, 200]).toContain(marked.length);
    await heal();
    for (const post of posts) expect(copyOf(post)).toBe(to('new'));
  });

  it('sends nothing to a receiver that does not have the post, or whose healing stays off', async () => {
    await setHealing(false);
    await forgetAll();
    await on.publish(target.published(renamed('old')));
    await on.publish(linking.published(linkingTo({ old: target }, ['old'])));
    const [late, off] = [await queue.addIntegration(projectId), await queue.addIntegration(projectId)];
    await on.publish(target.published(renamed('new', 'old')));
    await queue.integrations.update(projectId, late, { healLinks: true });
    await on.readAll();
    expect(await heal()).toBe(0);
    expect([late, off].map((id) => on.copyOf(id, linking))).toEqual([undefined, undefined]);
  });

  it('rereads what was half forgotten when it was turned on again', async () => {
    await on.publish(target.published(renamed('old')));
    const content = Array.from({ length: 60 }, () => testBlog(projectId).published(under(randomUUID())));
    await on.publish(...content, linking.published(linkingTo({ old: target }, ['old'])));
    await setHealing(false);
    await on.views.forgetNext(projectId);
    expect(await queue.query('SELECT FROM link_target')).not.toEqual([]);
    await on.publish(target.published(renamed('new', 'old')));
    await turnOn();
    expect(copy()).toBe(to('new'));
    expect(await queue.query('SELECT FROM link_target')).toHaveLength(62);
  });
});
