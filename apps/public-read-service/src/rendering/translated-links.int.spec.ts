import type { LifecycleEvent, PublicBlog, PublicBlogChanges, PublicBlogList } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { seededRandom } from '@blog-content/testing';
import { createCopy, listWhole } from '../../test/changes-copy.ts';
import { blogDeleted, blogPublished, blogUnpublished } from '../../test/events.ts';
import { MAX_WATCHED_TARGETS } from '../queries/change-log-statements.ts';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground), { siteUrl: 'https://tea.example' });

const LINK = '<a href="[INTERNAL:tea]#how">it</a> [INTERNAL:tea]';
const leadsTo = (slug: string, title = `Title ${slug}`) =>
  `<a href="https://tea.example/blog/${slug}/#how">it</a> <a href="https://tea.example/blog/${slug}/">${title}</a>`;
const NOWHERE = 'it ';

const publish = (
  slug: string,
  language: string | null,
  translation_key: string | null = null,
  given: Parameters<TestProject['publish']>[1] & { title?: string; content?: string } = {},
) => {
  const { title = `Title ${slug}`, content = '<p>Hot.</p>', ...options } = given;
  return project.publish({ slug, title, content, language, translation_key }, options);
};
const publishLinker = (slug: string, language: string | null, key: string | null = null, bound?: string) =>
  publish(slug, language, key, { content: LINK, ...(bound !== undefined && { bound: { tea: bound } }) });
const contentOf = async (slug: string) => (await project.read<PublicBlog>(`/blogs/${slug}`)).content;
const namesOf = (changes: PublicBlogChanges['changes']) =>
  changes.map((item) => ('removed' in item ? `-${item.slug}` : item.slug));

describe('a link to a post with a translation in the language of the linking post', () => {
  beforeEach(async () => {
    await publishLinker('german', 'de');
    await publishLinker('english', 'en');
    await publishLinker('unknown', null);
  });

  it('leads to the translation, and shows its title, while both are published', async () => {
    const tea = await publish('tea', 'en', 'k');
    expect(await contentOf('german')).toBe(leadsTo('tea'));
    const tee = await publish('tee', 'de', 'k');
    expect(await contentOf('german')).toBe(leadsTo('tee'));
    await project.unpublish(tea);
    expect(await contentOf('german')).toBe(NOWHERE);
    await publish('tea', 'en', 'k', { id: tea });
    await publish('gruener-tee', 'de', 'k', { id: tee, title: 'Grüner Tee' });
    expect(await contentOf('german')).toBe(leadsTo('gruener-tee', 'Grüner Tee'));
    await project.delete(tee);
    expect(await contentOf('german')).toBe(leadsTo('tea'));
  });

  it('leads to the target for posts in other languages, and for posts without one', async () => {
    await publish('tea', 'en', 'k');
    await publish('tee', 'de', 'k');
    await publishLinker('austrian', 'de-AT');
    expect(await Promise.all(['english', 'unknown', 'austrian'].map(contentOf))).toEqual(Array(3).fill(leadsTo('tea')));
  });

  it('leads to a target in that language, although another post with its key is in that language', async () => {
    await publish('tea', 'de', 'k');
    await publish('tee', 'de', 'k');
    expect(await contentOf('german')).toBe(leadsTo('tea'));
  });

  it('leads to a target of another key, of none, and with a translation in another project', async () => {
    await publish('tea', 'en');
    await publish('tee', 'de', 'other');
    expect(await contentOf('german')).toBe(leadsTo('tea'));
    const other = await service.createProject();
    await other.publish({ slug: 'tee', language: 'de', translation_key: 'k' });
    await publish('tea-2', 'en', 'k');
    await publish('linker', 'de', null, { content: LINK.replaceAll('tea', 'tea-2') });
    expect(await contentOf('linker')).toBe(leadsTo('tea-2'));
  });

  it('follows a bound target and an alias as well', async () => {
    const tea = await publish('renamed', 'en', 'k', { aliases: ['tea'] });
    await publishLinker('bound', 'de', null, tea);
    await publish('tee', 'de', 'k');
    expect(await Promise.all(['bound', 'german'].map(contentOf))).toEqual([leadsTo('tee'), leadsTo('tee')]);
    expect(await contentOf('english')).toBe(leadsTo('renamed'));
  });
});

it('leads from a translation to the other one: their language versions link to each other', async () => {
  await publish('tea', 'en', 'k');
  await publishLinker('tee', 'de', 'k');
  await publish('tee-2', 'de', 'k');
  expect(await contentOf('tee')).toBe(leadsTo('tea'));
});

it('leads to the translation wherever contents are shown, each post by its own language', async () => {
  const tea = await publish('tea', 'en', 'k');
  await publish('tee', 'de', 'k');
  await publish('the', 'fr', 'k');
  const expected = { de: 'tee', fr: 'the', en: 'tea', es: 'tea' };
  for (const language of Object.keys(expected)) {
    await publishLinker(`from-${language}`, language);
    await publishLinker(`bound-${language}`, language, null, tea);
  }
  const { blogs } = await project.read<PublicBlogList>('/blogs?include_content=1');
  const { changes } = await project.read<{ changes: PublicBlogList['blogs'] }>('/blogs?since=0&include_content=1');
  const { items } = await project.read<{ items: { url: string; content_html: string }[] }>('/feed.json');
  for (const [language, slug] of Object.entries(expected)) {
    for (const linker of [`from-${language}`, `bound-${language}`]) {
      const html = leadsTo(slug);
      expect(await contentOf(linker)).toBe(html);
      expect(blogs.find((blog) => blog.slug === linker)?.content).toBe(html);
      expect(changes.find((blog) => blog.slug === linker)?.content).toBe(html);
      expect(items.find(({ url }) => url.endsWith(`/${linker}/`))?.content_html).toBe(html);
    }
  }
});

it('leads to the translation in pages that are made in chunks', async () => {
  await publish('tea', 'en', 'k');
  await publish('tee', 'de', 'k');
  const content = `<p>${'word '.repeat(250_000)}</p>${LINK}`;
  for (const slug of ['large-1', 'large-2', 'large-3']) await publish(slug, 'de', null, { content });
  const { blogs } = await project.read<PublicBlogList>('/blogs?include_content=1');
  const large = blogs.filter(({ slug }) => slug.startsWith('large'));
  expect(large.map((blog) => blog.content?.endsWith(leadsTo('tee')))).toEqual([true, true, true]);
});

describe('what has changed when a translation does', () => {
  it('are the posts in its language that link to another one, and no others', async () => {
    const tea = await publish('tea', 'en', 'k');
    for (const language of ['de', 'en', 'fr']) await publishLinker(`from-${language}`, language);
    await publishLinker('bound-de', 'de', null, tea);
    await publishLinker('unknown', null);
    await publish('bystander', 'de');
    const copy = createCopy(project);
    await copy.catchUp();
    const changed = async () => new Set(namesOf(await copy.catchUp()));
    const tee = await publish('tee', 'de', 'k');
    expect(await changed()).toEqual(new Set(['tee', 'from-de', 'bound-de']));
    await publish('tee', 'de', 'k', { id: tee, content: '<p>Other.</p>' });
    expect(await changed()).toEqual(new Set(['tee']));
    await publish('tee', 'de', 'k', { id: tee, title: 'Tee' });
    expect(await changed()).toEqual(new Set(['tee', 'from-de', 'bound-de']));
    await publish('tee', 'fr', 'k', { id: tee, title: 'Tee' });
    expect(await changed()).toEqual(new Set(['tee', 'from-de', 'bound-de', 'from-fr']));
    await publish('tea', 'en', null, { id: tea });
    expect(await changed()).toEqual(new Set(['tea', 'from-fr']));
    await publish('tea', 'en', 'k', { id: tea });
    expect(await changed()).toEqual(new Set(['tea', 'from-fr']));
    await project.unpublish(tee);
    expect(await changed()).toEqual(new Set(['-tee', 'from-fr']));
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('comes a page at a time, with a position among the posts of one language', async () => {
    await publish('tea', 'en', 'k');
    for (let at = 0; at < 7; at += 1) await publishLinker(`from-${at}`, at % 2 === 0 ? 'de' : 'fr');
    const copy = createCopy(project);
    await copy.catchUp();
    await publish('tee', 'de', 'k');
    expect(namesOf(await copy.catchUp(1)).toSorted()).toEqual(['from-0', 'from-2', 'from-4', 'from-6', 'tee']);
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('includes posts that link to very many, as any change of a target does', async () => {
    const named = Array.from({ length: MAX_WATCHED_TARGETS }, (_, at) => `<p>[INTERNAL:none-${at}]</p>`).join('');
    await publish('tea', 'en', 'k');
    for (const language of ['de', 'fr']) await publish(`index-${language}`, language, null, { content: named + LINK });
    const copy = createCopy(project);
    await copy.catchUp();
    await publish('tee', 'de', 'k');
    // Any post that comes may be one of so many targets.
    expect(new Set(namesOf(await copy.catchUp()))).toEqual(new Set(['tee', 'index-de', 'index-fr']));
    expect(copy.byId).toEqual(await listWhole(project));
  });

  it('changes the entity tag of the posts that lead to it, as every publish does', async () => {
    await publish('tea', 'en', 'k');
    await publishLinker('german', 'de');
    const { headers } = await project.get('/blogs/german');
    const again = () => project.get('/blogs/german', { 'if-none-match': headers.etag! });
    expect((await again()).statusCode).toBe(304);
    await publish('tee', 'de', 'k');
    expect((await again()).body).toContain('/blog/tee/');
  });
});

/** What is known of a post, and what it should lead to by the rules alone. */
interface ModelPost {
  readonly id: string;
  number: number;
  at: number;
  /** The last one that it was published under. */
  slug: string;
  isShown: boolean;
  language: string | null;
  key: string | null;
  title: string;
  links: readonly { readonly slug: string; readonly bound: ModelPost | null }[];
  aliases: readonly string[];
}

it('leads where a plain model says in 1,000 random states, which changes by `since` reproduce', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seededRandom(seed);
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)]!;
  const slugs = Array.from({ length: 9 }, (_, at) => `slug-${at}`);
  let [clock, states] = [0, 0];
  for (let round = 0; round < 25; round += 1) {
    project = await service.createProject({ siteUrl: null });
    const posts: ModelPost[] = Array.from({ length: 7 }, () => ({
      ...{ id: randomUUID(), number: 0, at: 0, slug: '', isShown: false },
      ...{ language: null, key: null, title: '', links: [], aliases: [] },
    }));
    const newest = (found: readonly ModelPost[]) =>
      found.filter(({ isShown }) => isShown).toSorted((a, b) => b.at - a.at)[0];
    const leadOf = (from: ModelPost, { slug, bound }: ModelPost['links'][number]): ModelPost | undefined => {
      const named = bound === null || bound.slug === '' ? slug : bound.slug;
      const target =
        bound?.isShown === true
          ? bound
          : (newest(posts.filter((post) => post.slug === named)) ??
            (bound === null ? newest(posts.filter(({ aliases }) => aliases.includes(slug))) : undefined));
      if (target === undefined || target === from || from.language === null)
        return target === from ? undefined : target;
      if (target.language === from.language || target.key === null || target.key === from.key) return target;
      return newest(posts.filter(({ language, key }) => language === from.language && key === target.key)) ?? target;
    };
    const contentOfModel = (from: ModelPost) =>
      from.links
        .map((link) => leadOf(from, link))
        .map((to) => (to === undefined ? '' : `<a href="/blog/${to.slug}/">${to.title}</a>`))
        .join('');
    const happen = (): LifecycleEvent => {
      const post = pick(posts);
      const about = { project_id: project.id, blog_id: post.id, blog_event_number: (post.number += 1) };
      if (post.isShown && random() < 0.25) {
        post.isShown = false;
        if (random() < 0.5) return blogUnpublished(about);
        post.aliases = [];
        return blogDeleted(about);
      }
      const free = slugs.filter((slug) => posts.every((other) => other === post || other.slug !== slug));
      if (!post.isShown || random() < 0.3) post.slug = pick(free);
      if (post.at === 0 || random() < 0.4) post.language = pick([null, 'en', 'de', 'fr', 'de-AT', 'pt-BR']);
      if (post.at === 0 || random() < 0.4) post.key = post.language === null ? null : pick([null, 'tea', 'pot', 'tea']);
      if (post.language === null) post.key = null;
      if (post.at === 0 || random() < 0.3) post.title = `Title ${Math.floor(random() * 99)}`;
      const named = [...new Set([pick(slugs), pick(slugs), pick(slugs)])];
      if (post.at === 0 || random() < 0.3) {
        post.links = named.map((slug) => ({ slug, bound: random() < 0.5 ? pick(posts) : null }));
      }
      post.aliases = slugs.filter((slug) => slug !== post.slug && random() < 0.1);
      Object.assign(post, { isShown: true, at: (clock += 1) });
      return blogPublished({
        ...about,
        published_at: new Date(Date.UTC(2026, 3, 1) + clock).toISOString(),
        link_bindings: post.links.flatMap(({ slug, bound }) => (bound === null ? [] : [{ slug, blog_id: bound.id }])),
        aliases: [...post.aliases],
        revision: {
          ...{ slug: post.slug, title: post.title, language: post.language, translation_key: post.key },
          content: post.links.map(({ slug }) => `[INTERNAL:${slug}]`).join(''),
        },
      });
    };
    const copy = createCopy(project);
    for (let step = 0; step < 40; step += 1) {
      const events = Array.from({ length: random() < 0.2 ? 3 : 1 }, happen);
      // A crash after the commit, or another process, brings some again.
      await service.apply(...events, ...(random() < 0.2 ? events : []));
      const whole = await listWhole(project);
      const expected = posts.filter(({ isShown }) => isShown).map((post) => [post.id, contentOfModel(post)] as const);
      expect({ seed, contents: new Map([...whole].map(([id, { content }]) => [id, content])) }).toEqual({
        seed,
        contents: new Map(expected),
      });
      if (random() < 0.5) {
        await copy.catchUp(1 + Math.floor(random() * 3));
        expect({ seed, byId: copy.byId }).toEqual({ seed, byId: whole });
      }
      states += 1;
    }
  }
  expect(states).toBe(1_000);
}, 240_000);
