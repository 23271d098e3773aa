import { z } from 'zod';
import { cut } from '../../payload/build-payload.ts';
import type { Destination, DestinationPost, FoundPost, PlacedPost } from '../destination.ts';
import { comparable } from '../is-reusable.ts';
import type { TargetAnswer, TargetClient, TargetRequest } from '../target-client.ts';

/** What dev.to takes at most: characters of a title; tags, and characters of each. */
const MAX_DEVTO = { title: 128, tags: 4, tag: 30 } as const;
/** How many of the account's newest articles are looked through for one, page by page. */
const DEVTO_LOOK_UP = { pages: 10, perPage: 10, pageBytes: 1024 * 1024 } as const;

const article = z.object({ id: z.int(), url: z.string().nullish() });
const own = z.array(
  article.extend({ title: z.string(), published_at: z.coerce.date().nullable(), canonical_url: z.string().nullish() }),
);

const user = z.object({ id: z.int() });
const refusal = z.object({ error: z.string() }).catch({ error: 'no reason given.' });

/** dev.to, by the API v1 of Forem. */
export function createDevTo(
  api: string,
  toMarkdown: (html: string) => Promise<string>,
  client: TargetClient,
): Destination {
  const call = (request: Omit<TargetRequest, 'headers'>) => client.call({ ...request, headers: ACCEPT });
  const at = (id: string) => `${api}/articles/${encodeURIComponent(id)}`;

  const fieldsOf = (given: DestinationPost) => ({
    title: cut(given.title, MAX_DEVTO.title),
    body_markdown: given.content,
    published: true,
    description: given.excerpt,
    main_image: given.featuredImageUrl,
    canonical_url: given.canonicalUrl,
    tags: tagsOf(given),
  });

  const write = async (method: 'POST' | 'PUT', url: string, fields: object): Promise<TargetAnswer> => {
    const expected = method === 'PUT' ? [404, 422] : [422];
    const answer = await call({ method, url, json: { article: fields }, decides: true, expected });
    if (answer.statusCode !== 422) return answer;
    throw client.declined(`dev.to rejected the post: ${refusal.parse(answer.json).error}`);
  };
  const change = (id: string, fields: object) => write('PUT', at(id), fields);

  const unpublish = async (id: string) => (await change(id, { published: false })).statusCode !== 404;

  return {
    render: toMarkdown,
    publish: async (given) => placed(await write('POST', `${api}/articles`, fieldsOf(given))),
    async update(id, given) {
      const answer = await change(id, fieldsOf(given));
      return answer.statusCode === 404 ? null : placed(answer);
    },
    unpublish,
    // Its API deletes nothing: the article stays as a draft, which its author alone sees.
    delete: unpublish,
    async findBySlug({ title, slug, canonicalUrl }) {
      const candidates: FoundPost[] = [];
      const wanted = comparable(cut(title, MAX_DEVTO.title));
      // An article whose original is at another address is another blog's.
      const mayBeOfBlog = ({ url = null, canonical_url: original }: z.infer<typeof own>[number]) =>
        original?.endsWith(`/${slug}/`) === true ||
        (canonicalUrl === null ? (original ?? url) === url : original === canonicalUrl);
      for (let page = 1; page <= DEVTO_LOOK_UP.pages; page += 1) {
        const url = `${api}/articles/me/published?page=${page}&per_page=${DEVTO_LOOK_UP.perPage}`;
        const answer = await call({ method: 'GET', url, maxAnswerBytes: DEVTO_LOOK_UP.pageBytes });
        if (answer.start !== null) throw client.declined('The newest articles are too long to search.');
        const articles = own.parse(answer.json);
        for (const found of articles) {
          const { id, url: at = null, published_at: createdAt } = found;
          if (createdAt === null || comparable(found.title) !== wanted || !mayBeOfBlog(found)) continue;
          candidates.push({ id: String(id), url: at, title, createdAt });
        }
        if (articles.length < DEVTO_LOOK_UP.perPage) break;
      }
      return candidates;
    },
    async test() {
      user.parse((await call({ method: 'GET', url: `${api}/users/me` })).json);
      return null;
    },
  };
}

const ACCEPT = { accept: 'application/vnd.forem.api-v1+json' };

/** It answers with all of an article, and with where it is at the beginning. */
function placed({ json, start }: TargetAnswer): PlacedPost {
  if (start === null) {
    const { id, url = null } = article.parse(json);
    return { id: String(id), url };
  }
  const [, id = ''] = LONG_ID.exec(start) ?? [];
  const [, url = null] = LONG_URL.exec(start) ?? [];
  return { id: String(article.shape.id.parse(id === '' ? null : Number(id))), url };
}

const LONG_ID = /^\{"type_of":"article","id":(\d+)/;
const LONG_URL = /"url":"(https?:[^"\\]+)"/;

/** Letters and digits are all that it takes. */
function tagsOf({ categories, tags }: Pick<DestinationPost, 'categories' | 'tags'>): string[] {
  const names = [...categories, ...tags].map((name) =>
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(0, MAX_DEVTO.tag),
  );
  return [...new Set(names)].filter((name) => name !== '').slice(0, MAX_DEVTO.tags);
}
