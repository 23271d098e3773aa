import { BlogApiError } from './blog-api-error.ts';
import type {
  Author,
  AuthorList,
  ChangePage,
  JsonFeed,
  ListedPost,
  ListedPostWithContent,
  Post,
  PostList,
  Redirect,
  RedirectPage,
  RelatedPosts,
  Sitemap,
} from './posts.ts';
import { request, waitBetweenTries, type RequestOptions } from './request.ts';
import type { ResponseCache } from './response-cache.ts';
import { EVERYTHING, walkChanges, type ChangesAnswer } from './walk-changes.ts';
import { walkPages } from './walk-pages.ts';
import { walkRedirects } from './walk-redirects.ts';

export interface ClientOptions {
  /** Where the service is: its origin, or the whole address up to `/blog/api/v1/public`. */
  readonly baseUrl: string;
  /** The project's public key, `pk_live_…`. Give it by the environment of the build. */
  readonly key: string;
  /** Keeps answers, so that what has not changed is not sent again. None unless given. */
  readonly cache?: ResponseCache;
  /** Another `fetch`, for instance one that adds what your framework wants. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Tries in all for one answer: 5 unless given. */
  readonly maxAttempts?: number;
  /** Time for one try: 30,000 unless given. */
  readonly timeoutMs?: number;
  /** First wait between tries, which doubles: 500 unless given. */
  readonly backoffMs?: number;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Which posts. */
export interface Filters {
  readonly category?: string;
  readonly tag?: string;
  /** An author's slug. */
  readonly author?: string;
  /** Words to look for. */
  readonly q?: string;
  /** A BCP 47 tag, which matches exactly. */
  readonly language?: string;
}

export interface ListOptions extends Filters, CallOptions {
  /** 1 to 100; 50 unless given. */
  readonly limit?: number;
  readonly offset?: number;
  readonly includeContent?: boolean;
  /** Only these fields of each post; `content` among them needs no `includeContent`. */
  readonly fields?: readonly (keyof ListedPostWithContent)[];
}

export interface AllOptions extends Filters, CallOptions {
  /** Posts in one request, 2 to 100: 100 unless given. */
  readonly pageSize?: number;
  readonly includeContent?: boolean;
  /** Only these fields of each post; `content` among them needs no `includeContent`. */
  readonly fields?: readonly (keyof ListedPostWithContent)[];
}

export interface ChangesOptions extends CallOptions {
  /** The position of an earlier call; everything unless given. */
  readonly since?: string;
  /** Changes in one request, 1 to 100: 100 unless given. */
  readonly pageSize?: number;
  readonly includeContent?: boolean;
  /** Only these fields of each post; `content` among them needs no `includeContent`. */
  readonly fields?: readonly (keyof ListedPostWithContent)[];
}

export interface PostOptions extends CallOptions {
  /** Only these fields of the post. */
  readonly fields?: readonly (keyof Post)[];
}

export interface LimitOptions extends CallOptions {
  readonly limit?: number;
}

/** Options of which none is unknown: a type parameter alone would take any. */
type Only<Options, Known> = Options & { readonly [Name in Exclude<keyof Options, keyof Known>]: never };

/** With `includeContent: true` posts have their HTML; with `fields` what is named, and nothing else. */
type ListedPostOf<Options extends Pick<ListOptions, 'includeContent'>> = Options extends {
  readonly fields: readonly (infer Field extends keyof ListedPostWithContent)[];
}
  ? { [Name in Field]: Exclude<ListedPostWithContent[Name], undefined> }
  : Options extends { readonly includeContent: true }
    ? ListedPostWithContent
    : ListedPost;

type PostOf<Options> = Options extends { readonly fields: readonly (infer Field extends keyof Post)[] }
  ? { [Name in Field]: Exclude<Post[Name], undefined> }
  : Post;

export interface BlogClient {
  /** One page, newest first. */
  list<const Options extends ListOptions = object>(
    options?: Only<Options, ListOptions>,
  ): Promise<PostList<ListedPostOf<Options>>>;
  /** All posts, page by page. Each comes once, even if others are published during the walk. */
  pages<const Options extends AllOptions = object>(
    options?: Only<Options, AllOptions>,
  ): AsyncGenerator<ListedPostOf<Options>[], void>;
  /** All posts, one by one. */
  all<const Options extends AllOptions = object>(
    options?: Only<Options, AllOptions>,
  ): AsyncGenerator<ListedPostOf<Options>, void>;
  /**
   * What has changed since an earlier call, page by page, oldest change first, each with the position to keep. Nothing
   * is missed, even if others are published during the walk. Where the position is gone, it restarts with everything
   * and says so (`startsAnew`).
   */
  changes<const Options extends ChangesOptions = object>(
    options?: Only<Options, ChangesOptions>,
  ): AsyncGenerator<ChangePage<ListedPostOf<Options>>, void>;
  /** One post; null when it is not published. */
  get<const Options extends PostOptions = object>(
    slug: string,
    options?: Only<Options, PostOptions>,
  ): Promise<PostOf<Options> | null>;
  /**
   * One post as schema.org's BlogPosting, as JSON that is safe in a page's `<script type="application/ld+json">` as it
   * is; null when it is not published, or the project has no site address.
   */
  jsonLd(slug: string, options?: CallOptions): Promise<string | null>;
  /** Posts that share tags or categories; null when the post is not published. At most 20, 5 unless given. */
  related(slug: string, options?: LimitOptions): Promise<RelatedPosts | null>;
  /** Slugs and dates of the newest 5,000 posts. */
  sitemap(options?: CallOptions): Promise<Sitemap>;
  /**
   * Where the addresses of renamed posts lead: every earlier slug and the present one, in one hop. No post is published
   * under one that is redirected.
   */
  redirects(options?: CallOptions): Promise<Redirect[]>;
  /** All authors of the project. */
  authors(options?: CallOptions): Promise<Author[]>;
  /** The newest posts as JSON Feed 1.1: at most 100, 50 unless given. */
  jsonFeed(options?: LimitOptions): Promise<JsonFeed>;
  /** The same as RSS 2.0. */
  rssFeed(options?: LimitOptions): Promise<string>;
  /** The newest 5,000 posts as a file for search engines. */
  sitemapXml(options?: CallOptions): Promise<string>;
  /** The newest 500 posts as a site's `llms.txt`. */
  llmsTxt(options?: CallOptions): Promise<string>;
}

const PUBLIC_API_PATH = '/blog/api/v1/public';
const REDIRECTS_AT_ONCE = 5_000;
/** The status for a position that is gone. */
const GONE = 410;
const KEY = /^pk_live_\w+$/;
/** What no post can have is not asked for: it could lead to another path. */
const SLUG = /^(?!sitemap$)[a-z0-9-]+$/;

/** A client for one project's published posts. Makes no request by itself. */
export function createClient(options: ClientOptions): BlogClient {
  const base = baseOf(options.baseUrl);
  if (!KEY.test(options.key)) throw new TypeError('key must be a public key, starting with pk_live_.');
  const requests: RequestOptions = {
    key: options.key,
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    cache: options.cache,
    maxAttempts: options.maxAttempts ?? 5,
    timeoutMs: options.timeoutMs ?? 30_000,
    backoffMs: options.backoffMs ?? 500,
  };

  /** The answer at a path; null for 404. */
  const read = (path: string, query: Query, { signal }: CallOptions) =>
    request(base + path + toSearch(query), requests, signal);
  /** The same where 404 is no answer. */
  const readText = async (path: string, query: Query, call: CallOptions) => {
    const text = await read(path, query, call);
    if (text === null) throw new BlogApiError(base + path, 404, '404: does the project have a site URL?');
    return text;
  };
  const readJson = async <Body>(path: string, query: Query, call: CallOptions) =>
    parse<Body>(base + path, await readText(path, query, call));

  const list = <Item extends Partial<ListedPostWithContent>>(options: ListOptions) => {
    const { includeContent, category, tag, author, q, language, limit, offset, fields, signal } = options;
    const filters = { category, tag, author, q, language };
    return readJson<PostList<Item>>(
      '/blogs',
      { ...filters, limit, offset, include_content: includeContent, fields: fields?.join(',') },
      { ...(signal && { signal }) },
    );
  };

  async function* pages<Item>({ pageSize = 100, fields, ...filters }: AllOptions = {}): AsyncGenerator<Item[], void> {
    if (!(pageSize >= 2 && pageSize <= 100)) throw new RangeError('pageSize must be between 2 and 100.');
    // Without their ids and dates, posts could not be told from each other.
    const read = fields && { fields: [...new Set([...fields, 'id', 'published_at'] as const)] };
    const readPage = async (offset: number, limit: number) =>
      (await list<ListedPost>({ ...filters, ...read, offset, limit })).blogs;
    for await (const page of walkPages(readPage, pageSize))
      yield (fields === undefined ? page : page.map((post) => only(post, fields))) as Item[];
  }

  function changes<Item>(options: ChangesOptions = {}) {
    const { since = EVERYTHING, pageSize = 100, includeContent, fields, signal } = options;
    // Each position is asked for once: a cache would only grow.
    const uncached = { ...requests, cache: undefined };
    let attempt = 0;
    const readPage = async (position: string) => {
      const query = { include_content: includeContent, fields: fields?.join(','), limit: pageSize, since: position };
      const url = `${base}/blogs${toSearch(query)}`;
      try {
        return parse<ChangesAnswer<Item>>(url, (await request(url, uncached, signal)) ?? '');
      } catch (error) {
        if (isGone(error)) return null;
        throw error;
      }
    };
    const mayRestart = async () => {
      attempt += 1;
      if (attempt >= requests.maxAttempts) {
        throw new BlogApiError(`${base}/blogs`, GONE, 'positions expire immediately; try again later.');
      }
      await waitBetweenTries(attempt, requests, signal);
    };
    return walkChanges(since, readPage, mayRestart);
  }

  return {
    list: (call = {} as never) => list(call),
    pages: (call) => pages(call),
    changes: (call) => changes(call),
    async *all(call) {
      for await (const page of pages<ListedPostOf<NonNullable<typeof call>>>(call)) yield* page;
    },
    async get<Options extends PostOptions>(slug: string, { fields, ...call }: PostOptions = {}) {
      if (!SLUG.test(slug)) return null;
      const path = `/blogs/${slug}`;
      const text = await read(path, { fields: fields?.join(',') }, call);
      return text === null ? null : parse<PostOf<Options>>(base + path, text);
    },
    async jsonLd(slug, call = {}) {
      return SLUG.test(slug) ? read(`/blogs/${slug}/json-ld`, {}, call) : null;
    },
    async related(slug, { limit, ...call } = {}) {
      if (!SLUG.test(slug)) return null;
      const path = `/blogs/${slug}/related`;
      const text = await read(path, { limit }, call);
      return text === null ? null : parse<RelatedPosts>(base + path, text);
    },
    sitemap: (call = {}) => readJson<Sitemap>('/blogs/sitemap', {}, call),
    redirects: (call = {}) =>
      walkRedirects(async (offset, limit) => {
        const path = '/redirects';
        const text = await read(path, { limit, offset }, call);
        if (text === null)
          throw new BlogApiError(base + path, 404, '404: this service version does not support redirects.');
        return parse<RedirectPage>(base + path, text);
      }, REDIRECTS_AT_ONCE),
    authors: async (call = {}) => (await readJson<AuthorList>('/authors', {}, call)).authors,
    jsonFeed: ({ limit, ...call } = {}) => readJson<JsonFeed>('/feed.json', { limit }, call),
    rssFeed: ({ limit, ...call } = {}) => readText('/feed.xml', { limit }, call),
    sitemapXml: (call = {}) => readText('/sitemap.xml', {}, call),
    llmsTxt: (call = {}) => readText('/llms.txt', {}, call),
  };
}

const only = (post: ListedPost, fields: readonly (keyof ListedPostWithContent)[]) =>
  Object.fromEntries(fields.map((name) => [name, (post as ListedPostWithContent)[name]]));

function isGone(error: unknown): boolean {
  return error instanceof BlogApiError && error.status === GONE;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

function toSearch(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function baseOf(baseUrl: string): string {
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError('baseUrl must be an http(s) URL.');
  const trimmed = baseUrl.replace(/(?<!\/)\/+$/, '');
  return trimmed.endsWith(PUBLIC_API_PATH) ? trimmed : trimmed + PUBLIC_API_PATH;
}

function parse<Body>(url: string, text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new BlogApiError(url, 200, 'the response is not JSON; is the base URL correct?', { cause });
  }
  if (typeof body !== 'object' || body === null) {
    throw new BlogApiError(url, 200, 'the response is not a JSON object; is the base URL correct?');
  }
  return body as Body;
}
