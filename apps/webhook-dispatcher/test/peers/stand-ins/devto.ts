import type { ReceiverAnswer } from '@blog-content/testing';
import { type StandInRequest, type StandIn, startStandIn } from './stand-in.ts';

/**
 * dev.to, by the documentation of Forem's API v1 (https://developers.forem.com/api/v1: “Publish article”, “Update an
 * article by id”, “User's published articles”, “The authenticated user”) and, for what it refuses, by Forem's sources:
 *
 * - a title twice within five minutes, a canonical URL that another published article has, titles of more than 128
 *   characters: https://github.com/forem/forem/blob/main/app/models/article.rb
 * - tags that are not letters and digits: https://github.com/forem/forem/blob/main/app/models/tag.rb
 * - too many requests: https://github.com/forem/forem/blob/main/config/initializers/rack_attack.rb
 *
 * An author's own key may not unpublish by `/unpublish`, which is for moderators, but by an update.
 */
export async function startDevToStandIn(): Promise<DevToStandIn> {
  const articles = new Map<number, Article>();
  let count = 250;
  const make = (given: Partial<Article>, minutesAgo: number): Article => {
    const id = (count += 1);
    const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
    const slug = `${slugOf(given.title ?? '')}-${(id * 4_093).toString(36)}`;
    const made = { ...EMPTY, ...given, id, slug, created_at: at, published_at: given.published === true ? at : null };
    articles.set(id, made);
    return made;
  };

  const answer = ({ route, query, headers, json }: StandInRequest): ReceiverAnswer => {
    if (headers.accept !== 'application/vnd.forem.api-v1+json') return problem(404, 'not found');
    if (headers['api-key'] !== KEY) return problem(401, 'unauthorized');
    if (route === 'GET /api/users/me') return { body: { type_of: 'user', id: 1, username: USER, name: 'Ada' } };
    if (route === 'GET /api/articles/me/published') {
      const perPage = Number(query.get('per_page') ?? 30);
      const first = (Number(query.get('page') ?? 1) - 1) * perPage;
      const found = [...articles.values()].filter(({ published }) => published);
      const sorted = found.sort((a, b) => (b.published_at ?? '').localeCompare(a.published_at ?? '') || b.id - a.id);
      return { body: sorted.slice(first, first + perPage).map(shown) };
    }
    if (route === 'POST /api/articles') {
      const { article } = json as { article: Partial<Article> };
      const refusal = refusalOf(article, null);
      if (refusal !== null) return problem(422, refusal);
      return { status: 201, body: shown(make(article, 0)) };
    }
    const [, id] = /^PUT \/api\/articles\/(\d+)$/.exec(route) ?? [];
    const known = articles.get(Number(id));
    if (known === undefined) return problem(404, 'not found');
    const { article } = json as { article: Partial<Article> };
    const refusal = refusalOf(article, known);
    if (refusal !== null) return problem(422, refusal);
    const published_at = article.published === true ? (known.published_at ?? new Date().toISOString()) : null;
    const changed = { ...known, ...article, published_at };
    articles.set(known.id, changed);
    return { body: shown(changed) };
  };

  const refusalOf = (given: Partial<Article>, known: Article | null): string | null => {
    const others = [...articles.values()].filter(({ id }) => id !== known?.id);
    const { title, canonical_url: canonical, tags = [] } = given;
    if (title !== undefined && title.replace(/\s/g, '').length > 128)
      return 'Title is too long (maximum is 128 characters)';
    const since = Date.now() - 5 * 60_000;
    const isRecent = others.some((one) => one.title === title && Date.parse(one.created_at) > since);
    if (known === null && isRecent) return 'Title has already been used in the last five minutes';
    const isTaken = others.some(
      (one) => one.published && one.canonical_url !== null && one.canonical_url === canonical,
    );
    if (given.published === true && isTaken) return 'Canonical url has already been taken';
    if (tags.length > 4) return 'exceed the maximum of 4 tags';
    const wrong = tags.find((tag) => !/^[\p{L}\p{N}]{1,30}$/u.test(tag));
    return wrong === undefined ? null : `Tag "${wrong}" contains non-alphanumeric or prohibited unicode characters`;
  };

  const server = await startStandIn(answer);
  return {
    ...server,
    apis: { devto: `${server.origin}/api` },
    articleOf: (id) => articles.get(Number(id)),
    peer: {
      kind: 'devto',
      name: 'dev.to, by its recorded contract',
      habits: {
        form: 'markdown',
        copiesImages: false,
        choosesSlugs: false,
        keepsDeleted: true,
        label: (name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''),
      },
      integration: { url: 'https://dev.to', secret: KEY },
      wrongSecret: 'wrong0wrong0wrong0wrong0',
      seoOf: null,
      postsTitled: (title) =>
        Promise.resolve(
          [...articles.values()]
            .filter((one) => one.title.startsWith(title))
            .map((one) => ({
              id: String(one.id),
              title: one.title,
              slug: one.slug,
              html: one.body_markdown,
              excerpt: one.description,
              isShown: one.published,
              labels: one.tags,
              featuredImage: one.main_image,
            })),
        ),
      titles: (beginning) =>
        Promise.resolve([...articles.values()].map(({ title }) => title).filter((one) => one.startsWith(beginning))),
      // Long enough ago for the same title to be taken again.
      write: ({ title, canonicalUrl: canonical_url = null }) =>
        Promise.resolve(String(make({ title, canonical_url, published: true }, 6).id)),
      remove: (id) => {
        articles.delete(Number(id));
        return Promise.resolve();
      },
    },
  };
}

export interface DevToStandIn extends StandIn {
  articleOf(id: string): Article | undefined;
}

interface Article {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly body_markdown: string;
  readonly description: string;
  readonly published: boolean;
  readonly created_at: string;
  readonly published_at: string | null;
  readonly canonical_url: string | null;
  readonly main_image: string | null;
  readonly tags: readonly string[];
}
const EMPTY = {
  title: '',
  body_markdown: '',
  description: '',
  published: false,
  canonical_url: null,
  main_image: null,
  tags: [],
};

const USER = 'ada';
const KEY = 'dEv0t0dEv0t0dEv0t0dEv0t0';
const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The fields in the order of the documentation's sample: what is long comes last. */
const shown = (article: Article) => ({
  type_of: 'article',
  id: article.id,
  title: article.title,
  description: article.description,
  published: article.published,
  published_at: article.published_at,
  slug: article.slug,
  path: `/${USER}/${article.slug}`,
  url: `https://dev.to/${USER}/${article.slug}`,
  comments_count: 0,
  public_reactions_count: 0,
  cover_image: article.main_image,
  canonical_url: article.canonical_url ?? `https://dev.to/${USER}/${article.slug}`,
  reading_time_minutes: 1,
  tag_list: article.tags,
  body_markdown: article.body_markdown,
  user: { username: USER },
});

const problem = (status: number, error: string): ReceiverAnswer => ({ status, body: { error, status } });

/** What dev.to answers when a key has made more than one write within a second, or ten articles within 30. */
export const DEVTO_LIMITED = (retryAfterS: number): ReceiverAnswer => ({
  ...problem(429, `Rate limit reached, try again in ${retryAfterS} seconds`),
  headers: { 'retry-after': String(retryAfterS), 'content-type': 'application/json' },
});
