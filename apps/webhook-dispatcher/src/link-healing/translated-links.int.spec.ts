import { randomUUID } from 'node:crypto';
import { seededRandom } from '@blog-content/testing';
import { testBlog, type PublishChanges, type TestBlog } from '../../test/events.ts';
import { eachHealing, type Healing } from '../../test/healing.ts';
import type { TestQueue } from '../../test/queue.ts';

let queue: TestQueue;
let on: Healing;
let projectId: string;
let receiver: string;
let tea: TestBlog;
let tee: TestBlog;
let german: TestBlog;

eachHealing((ground) => ({ queue, on, projectId, receiver } = ground));
beforeEach(() => {
  [tea, tee, german] = [testBlog(projectId), testBlog(projectId), testBlog(projectId)];
});

const heal = () => on.healAll(projectId);
const copyOf = (blog: TestBlog) => on.copyOf(receiver, blog)?.content;
const translation = (
  slug: string,
  language: string | null,
  translation_key: string | null = 'k',
  title = `Title ${slug}`,
): PublishChanges => ({ revision: { slug, title, content: '<p>x</p>', language, translation_key } });
const linkingTo = (language: string | null, given: PublishChanges = {}, slug = `from-${language}`): PublishChanges => ({
  ...given,
  revision: { slug, title: 'Linking', content: '<p>[INTERNAL:tea]</p>', language, ...given.revision },
});
const to = (slug: string, title = `Title ${slug}`) =>
  `<p><a href="https://site.example/blog/${slug}/">${title}</a></p>`;
const TEA = { slug: 'tea', title: 'Title tea' };
const teaInGerman = () => ({ ...TEA, translation: { slug: 'tee', title: 'Title tee', blog_id: tee.id } });

describe('a link to a post with a translation', () => {
  it('leads there in the body of the publish', async () => {
    await on.publish(german.published(linkingTo('de', { published_link_targets: [teaInGerman()] })));
    expect(copyOf(german)).toBe(to('tee'));
  });

  it('is not sent again when it leads where the publish said', async () => {
    await on.publish(tea.published(translation('tea', 'en')), tee.published(translation('tee', 'de')));
    await heal();
    await on.publish(german.published(linkingTo('de', { published_link_targets: [teaInGerman()] })));
    expect(await heal()).toBe(0);
    await on.publish(tee.published(translation('tee', 'de')));
    expect(await heal()).toBe(0);
  });

  it('is sent again when the translation comes, changes, or goes, and no post of another language with it', async () => {
    await on.publish(tea.published(translation('tea', 'en')));
    const targets = { published_link_targets: [TEA] };
    const [english, french, unknown, bound] = Array.from({ length: 4 }, () => testBlog(projectId));
    const link_bindings = [{ slug: 'tea', blog_id: tea.id }];
    await on.publish(
      german.published(linkingTo('de', targets)),
      english!.published(linkingTo('en', targets)),
      french!.published(linkingTo('fr', targets)),
      unknown!.published(linkingTo(null, targets)),
      bound!.published(linkingTo('de', { ...targets, link_bindings }, 'bound')),
    );
    await heal();
    await on.publish(tee.published(translation('tee', 'de')));
    expect(await heal()).toBe(2);
    expect([german, bound!, english!, french!, unknown!].map(copyOf)).toEqual(
      ['tee', 'tee', 'tea', 'tea', 'tea'].map((slug) => to(slug)),
    );
    await on.publish(tee.published(translation('gruener-tee', 'de', 'k', 'Grüner Tee')));
    expect(await heal()).toBe(2);
    expect(copyOf(german)).toBe(to('gruener-tee', 'Grüner Tee'));
    await on.publish(tee.published(translation('gruener-tee', 'fr', 'k', 'Grüner Tee')));
    expect(await heal()).toBe(3);
    expect([copyOf(german), copyOf(french!)]).toEqual([to('tea'), to('gruener-tee', 'Grüner Tee')]);
    await on.publish(tea.published(translation('tea', 'en', null)));
    expect(await heal()).toBe(1);
    await on.publish(tea.published(translation('tea', 'en')));
    expect(await heal()).toBe(1);
    await on.publish(tee.unpublished());
    expect(await heal()).toBe(1);
    expect(copyOf(french!)).toBe(to('tea'));
  });

  it('uses the translation only while the target is published', async () => {
    await on.publish(tea.published(translation('tea', 'en')), tee.published(translation('tee', 'de')));
    await on.publish(german.published(linkingTo('de', { published_link_targets: [teaInGerman()] })));
    await on.publish(tea.unpublished());
    expect(await heal()).toBe(1);
    expect(copyOf(german)).toBe('<p></p>');
    await on.publish(tea.published(translation('tea', 'en')));
    expect(await heal()).toBe(1);
    expect(copyOf(german)).toBe(to('tee'));
  });

  it('leads to the target from its own translation, whose publish sends nothing else again', async () => {
    await on.publish(tea.published(translation('tea', 'en')));
    await heal();
    await on.publish(
      tee.published(
        linkingTo('de', { published_link_targets: [TEA], revision: { slug: 'tee', translation_key: 'k' } }, 'tee'),
      ),
    );
    expect(await heal()).toBe(0);
    expect(copyOf(tee)).toBe(to('tea'));
  });

  it('takes an event once: repeated and late ones change nothing', async () => {
    await on.publish(tea.published(translation('tea', 'en')));
    await on.publish(german.published(linkingTo('de', { published_link_targets: [TEA] })));
    const [first, second] = [tee.published(translation('tee', 'de')), tee.published(translation('tee', 'fr'))];
    await on.publish(first);
    await heal();
    await on.publish(second);
    await heal();
    await on.publish(first, second);
    expect(await heal()).toBe(0);
    expect(copyOf(german)).toBe(to('tea'));
  });

  it('is marked in parts where many posts link to it, all of them in the language', async () => {
    await on.publish(tea.published(translation('tea', 'en')));
    const posts = Array.from({ length: 250 }, () => testBlog(projectId));
    const languageOf = (at: number) => (at % 2 === 0 ? 'de' : 'en');
    await on.attempts.plan(
      ...posts.map((post, at) => post.published(linkingTo(languageOf(at), { published_link_targets: [TEA] }))),
    );
    await on.deliverAll();
    await heal();
    await on.publish(tee.published(translation('tee', 'de')));
    await on.heal(projectId, { perHour: 0 });
    expect(await queue.query('SELECT FROM link_healing')).toHaveLength(100);
    expect(await heal()).toBe(125);
    for (const [at, post] of posts.entries()) expect(copyOf(post)).toBe(to(at % 2 === 0 ? 'tee' : 'tea'));
  });

  it('is compared when healing is turned on: what is stale is sent again', async () => {
    await queue.integrations.update(projectId, receiver, { healLinks: false });
    while (!(await on.views.forgetNext(projectId)));
    await on.publish(tea.published(translation('tea', 'en')));
    await on.publish(german.published(linkingTo('de', { published_link_targets: [TEA] })));
    await on.publish(tee.published(translation('tee', 'de')));
    await queue.integrations.update(projectId, receiver, { healLinks: true });
    await on.readAll();
    for (let round = 0; round < 5; round += 1) await on.heal(projectId, { perHour: 0 });
    expect(await heal()).toBe(1);
    expect(copyOf(german)).toBe(to('tee'));
  });
});

it('leads where a plain model says, after any changes of posts in several languages', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seededRandom(seed);
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)]!;
  const slugs = Array.from({ length: 7 }, (_, at) => `slug-${at}`);
  for (let round = 0; round < 8; round += 1) {
    await queue.clear();
    projectId = randomUUID();
    receiver = await queue.addIntegration(projectId, { healLinks: true });
    await on.readAll();
    const posts = slugs.map((slug) => ({
      blog: testBlog(projectId),
      ...{ slug, title: slug, at: 0, isShown: false, links: [] as readonly string[], bound: false },
      ...{ language: null as string | null, key: null as string | null },
    }));
    type Post = (typeof posts)[number];
    const bySlug = new Map(posts.map((post) => [post.slug, post]));
    const leadOf = (from: Post, slug: string): Post | undefined => {
      const target = bySlug.get(slug);
      if (target?.isShown !== true || target === from) return undefined;
      const isOther = from.language !== null && target.language !== from.language && target.key !== null;
      if (!isOther || target.key === from.key) return target;
      const siblings = posts.filter((post) => post.isShown && post.key === target.key);
      const inLanguage = siblings.filter((post) => post.language === from.language);
      return inLanguage.toSorted((a, b) => b.at - a.at)[0] ?? target;
    };
    for (let step = 1; step <= 25; step += 1) {
      const post = pick(posts);
      if (post.isShown && random() < 0.3) {
        post.isShown = false;
        await on.publish(random() < 0.5 ? post.blog.unpublished() : post.blog.deleted());
      } else {
        Object.assign(post, { isShown: true, at: step });
        if (random() < 0.5) post.language = pick([null, 'en', 'de', 'fr', 'de-AT']);
        if (random() < 0.5) post.key = pick([null, 'tea', 'pot']);
        if (post.language === null) post.key = null;
        if (random() < 0.3) post.title = `Title ${step}`;
        if (random() < 0.5) Object.assign(post, { links: [pick(slugs), pick(slugs)], bound: random() < 0.5 });
        const bindings = [...new Set(post.links)].map((slug) => ({ slug, blog_id: bySlug.get(slug)!.blog.id }));
        await on.publish(
          post.blog.published({
            published_at: new Date(Date.UTC(2026, 3, 1) + step).toISOString(),
            link_bindings: post.bound ? bindings : [],
            revision: {
              ...{ slug: post.slug, title: post.title, language: post.language, translation_key: post.key },
              content: post.links.map((slug) => `[INTERNAL:${slug}]`).join(''),
            },
          }),
        );
      }
      if (random() < 0.4) continue;
      await heal();
      const shown = posts.filter(({ isShown }) => isShown);
      const expected = shown.map((from) =>
        from.links
          .map((slug) => leadOf(from, slug))
          .map((lead) =>
            lead === undefined ? '' : `<a href="https://site.example/blog/${lead.slug}/">${lead.title}</a>`,
          )
          .join(''),
      );
      expect({ seed, copies: shown.map(({ blog }) => copyOf(blog)) }).toEqual({ seed, copies: expected });
    }
  }
}, 120_000);
