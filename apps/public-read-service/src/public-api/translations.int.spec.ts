import { randomUUID } from 'node:crypto';
import type { LifecycleEvent, PublicBlogList, PublicBlogListItem, Translation } from '@blog-content/payload-schemas';
import { seededRandom } from '@blog-content/testing';
import { blogDeleted, blogPublished, blogUnpublished, slugsChanged } from '../../test/events.ts';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));

type Item = Pick<PublicBlogListItem, 'id' | 'slug' | 'language' | 'translation_key'> & {
  readonly translations: readonly Translation[];
};
const FIELDS = 'fields=id,slug,language,translations';
const items = async () => (await project.read<{ blogs: Item[] }>(`/blogs?${FIELDS}&limit=100`)).blogs;
const one = async (slug: string) => (await project.read<Item>(`/blogs/${slug}?${FIELDS}`)).translations;
const publish = (language: string | null, key: string | null, slug: string, id?: string, at?: string) =>
  project.publish(
    { title: `Title ${slug}`, slug, language, translation_key: key },
    { ...(id && { id }), ...(at && { at }) },
  );
const slugs = ({ blogs }: { blogs: readonly { slug: string }[] }) => blogs.map(({ slug }) => slug).toSorted();

describe('translations of a post', () => {
  it('are the published posts with its key, itself included, by language', async () => {
    const en = await publish('en', 'tea', 'green-tea');
    const de = await publish('de-AT', 'tea', 'gruener-tee');
    await publish('fr', 'coffee', 'cafe');
    await publish('fr', null, 'the');
    const both: Translation[] = [
      {
        id: de,
        language: 'de-AT',
        slug: 'gruener-tee',
        title: 'Title gruener-tee',
        url: 'https://tea.example/blog/gruener-tee/',
      },
      {
        id: en,
        language: 'en',
        slug: 'green-tea',
        title: 'Title green-tea',
        url: 'https://tea.example/blog/green-tea/',
      },
    ];
    expect([await one('green-tea'), await one('gruener-tee')]).toEqual([both, both]);
    expect([(await one('cafe')).length, await one('the')]).toEqual([1, []]);
    expect((await items()).map(({ slug, translations }) => [slug, translations.length]).toSorted()).toEqual([
      ['cafe', 1],
      ['green-tea', 2],
      ['gruener-tee', 2],
      ['the', 0],
    ]);
    await project.unpublish(de);
    expect(await one('green-tea')).toEqual([both[1]]);
  });

  it('have no URL while the project has no site', async () => {
    project = await service.createProject({ siteUrl: null });
    await publish('en', 'tea', 'green-tea');
    expect(await one('green-tea')).toMatchObject([{ slug: 'green-tea', url: null }]);
  });

  it('are in lists with contents and filters too, and with null for a language that is not known', async () => {
    await publish('en', 'tea', 'green-tea');
    await publish(null, null, 'other');
    const [item] = (await project.read<PublicBlogList>('/blogs?language=EN&fields=content,translations')).blogs;
    expect(item).toMatchObject({ content: '<p>Hot water.</p>', translations: [{ language: 'en' }] });
    expect(await project.read('/blogs/other?fields=language,translation_key,translations')).toEqual({
      language: null,
      translation_key: null,
      translations: [],
    });
  });

  it('cannot be read with `since`, because they change without their post', async () => {
    const { statusCode, body } = await project.get('/blogs?since=0&fields=translations');
    expect([statusCode, JSON.parse(body)]).toEqual([
      400,
      {
        detail:
          '`since` can’t return `translations`. Ask for `language,translation_key`, and group posts by their key.',
      },
    ]);
    expect((await project.get('/blogs?since=0&fields=slug,language,translation_key')).statusCode).toBe(200);
  });

  it('leave responses that do not ask for them as they were', async () => {
    const paths = [
      '/blogs/green-tea',
      '/blogs/green-tea?fields=title,content',
      '/feed.json?limit=1',
      '/blogs/green-tea/json-ld',
    ];
    const read = () => Promise.all(paths.map(async (path) => (await project.get(path)).body));
    await project.publish({ slug: 'green-tea', title: 'Title green-tea' }, { began: '2026-04-01T00:00:00.000Z' });
    const before = await read();
    project = await service.createProject();
    await project.publish(
      { slug: 'green-tea', title: 'Title green-tea', language: 'en', translation_key: 'tea' },
      { began: '2026-04-01T00:00:00.000Z' },
    );
    await publish('de', 'tea', 'gruener-tee');
    const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
    expect((await read()).map((body) => body.replaceAll(ids, 'id'))).toEqual(
      before.map((body) => body.replaceAll(ids, 'id')),
    );
  });
});

describe('filtering by language', () => {
  it('takes a tag in any case, and matches exactly', async () => {
    await publish('de', null, 'de');
    await publish('de-AT', null, 'de-at');
    await publish(null, null, 'none');
    const found = async (query: string) => slugs(await project.read<PublicBlogList>(`/blogs${query}`));
    expect(await found('?language=de')).toEqual(['de']);
    expect(await found('?language=DE-at')).toEqual(['de-at']);
    expect(await found('?language=fr')).toEqual([]);
    expect(await found('?language=de&q=title&limit=1')).toEqual(['de']);
    expect(await found('?language=')).toEqual(['de', 'de-at', 'none']);
    expect((await project.read<PublicBlogList>('/blogs?language=de')).total).toBe(1);
  });

  it('works for feeds, sitemaps and llms.txt', async () => {
    await publish('de', null, 'tee');
    await publish('en', null, 'tea');
    expect(slugs(await project.read<PublicBlogList>('/blogs/sitemap?language=de'))).toEqual(['tee']);
    for (const path of ['/feed.xml', '/feed.json', '/sitemap.xml', '/llms.txt']) {
      const { body } = await project.get(`${path}?language=de`);
      expect([path, body.includes('/blog/tee/'), body.includes('/blog/tea/')]).toEqual([path, true, false]);
    }
  });

  it.each(['german', 'de_AT', 'x', '1', 'de--at'])('refuses %s with 400', async (language) => {
    for (const path of ['/blogs', '/feed.xml', '/sitemap.xml', '/blogs/sitemap', '/llms.txt']) {
      const { statusCode, body } = await project.get(`${path}?language=${language}`);
      expect([statusCode, JSON.parse(body)]).toEqual([
        400,
        { detail: `\`language\` must be a language tag such as \`de\` or \`pt-BR\` (got ${language}).` },
      ]);
    }
  });
});

describe('hreflang', () => {
  const LANGUAGES = ['de', 'en', 'es', 'fr', 'pt-BR'];
  const KEYS = Array.from({ length: 50 }, (_, index) => `key-${index}`);
  const POSTS = 240;
  const ROUNDS = 20;
  const STEPS = 2 * KEYS.length;

  const random = seededRandom(49);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const eventNumbers = new Map<string, number>();
  /** A post is published, moves to another language or key, is renamed, taken down or deleted. */
  function step(posts: string[], slug: string, at: string): LifecycleEvent {
    const [kind, known] = [random(), pick(posts)];
    const isNew = known === undefined || (kind < 0.4 && posts.length < POSTS);
    const blogId = isNew ? randomUUID() : known;
    const number = (eventNumbers.get(blogId) ?? 0) + 1;
    eventNumbers.set(blogId, number);
    const about = { project_id: project.id, blog_id: blogId, blog_event_number: number };
    if (isNew) posts.push(blogId);
    if (isNew || kind < 0.7) {
      const revision = { title: slug, slug, language: pick(LANGUAGES), translation_key: pick([...KEYS, null]) };
      return blogPublished({ ...about, published_at: at, revision });
    }
    if (kind < 0.8) return slugsChanged({ ...about, slug, aliases: [] });
    if (kind < 0.95) return blogUnpublished(about);
    posts.splice(posts.indexOf(blogId), 1);
    return blogDeleted(about);
  }
  async function everyPost(): Promise<Item[]> {
    const all: Item[] = [];
    for (;;) {
      const path = `/blogs?${FIELDS},translation_key&limit=100&offset=${all.length}`;
      const { blogs, total } = await project.read<{ blogs: Item[]; total: number }>(path);
      all.push(...blogs);
      if (all.length >= total) return all;
    }
  }
  const isReciprocal = ({ id, translations }: Item, byId: ReadonlyMap<string, Item>) =>
    translations.some((one) => one.id === id) &&
    new Set(translations.map((one) => one.language)).size === translations.length &&
    translations.every((one) => {
      const sibling = byId.get(one.id);
      const isNamed = sibling?.slug === one.slug && sibling.language === one.language;
      return isNamed && JSON.stringify(sibling.translations) === JSON.stringify(translations);
    });

  it('is reciprocal in 1,000 random states of 5 languages', async () => {
    const posts: string[] = [];
    const states: Item[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = new Date(Date.parse('2026-05-01T00:00:00Z') + round * 1_000).toISOString();
      await service.apply(...Array.from({ length: STEPS }, (_, index) => step(posts, `post-${round}-${index}`, at)));
      const all = await everyPost();
      const byId = new Map(all.map((item) => [item.id, item]));
      for (const key of KEYS) {
        const group = all.filter((item) => item.translation_key === key);
        expect([round, key, group.filter((item) => !isReciprocal(item, byId))]).toEqual([round, key, []]);
        states.push(group);
      }
      for (const item of all.filter(({ translation_key: key }) => key === null)) expect(item.translations).toEqual([]);
      const { slug, translations } = pick(all);
      expect(await project.read(`/blogs/${slug}?fields=translations`)).toEqual({ translations });
    }
    expect(states).toHaveLength(1_000);
    expect(states.filter((group) => group.length > 2).length).toBeGreaterThan(300);
  }, 120_000);
});
