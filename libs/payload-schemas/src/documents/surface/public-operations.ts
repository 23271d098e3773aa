import { z } from 'zod';
import * as open from '../../public-api.ts';
import { RSS, TEXT, XML, type OperationRow, type QueryParameter } from '../operation.ts';

const PUBLIC = '/blog/api/v1/public';

const apiKey = { schema: z.string(), description: 'Public key. Not needed with the `Authorization` header.' };
const conditional = { ifNoneMatch: true, ifModifiedSince: true } as const;
const NO_BLOG = 'No published post has this slug. If the post was renamed, `detail` gives its current slug.';

const language: QueryParameter = {
  schema: z.string(),
  description: 'Filter by language: a BCP 47 tag such as `de` or `pt-BR`. It matches exactly.',
};

/** What both feeds take. */
const feed = {
  method: 'get',
  credential: 'publicKey',
  ...conditional,
  query: { api_key: apiKey, limit: limitParameter(open.FEED_LIMIT), language },
  errors: { 400: 'A parameter is out of range.', 404: 'The project has no site URL.' },
} as const;

function fieldsParameter(names: readonly string[]): QueryParameter {
  return {
    schema: z.string(),
    description: `Comma-separated fields to return: ${names.join(', ')}.`,
  };
}

function limitParameter(
  { min, max, default: usual }: Record<'min' | 'max' | 'default', number>,
  description = 'Maximum number of posts.',
): QueryParameter {
  return { schema: z.int().min(min).max(max).default(usual), description };
}

/** What the public read API answers (contract §4). */
export const publicOperations: OperationRow[] = [
  {
    id: 'listPublicBlogs',
    method: 'get',
    path: `${PUBLIC}/blogs`,
    summary: 'List published posts',
    description: 'Newest first. The content is optional.',
    credential: 'publicKey',
    ...conditional,
    query: {
      api_key: apiKey,
      limit: {
        schema: z.int().min(open.LIST_LIMIT.min).max(open.LIST_LIMIT.max).default(open.LIST_LIMIT.default),
        description: 'Page size.',
      },
      offset: { schema: z.int().min(0).default(0), description: 'Number of posts to skip.' },
      category: { schema: z.string(), description: 'Filter by category name.' },
      tag: { schema: z.string(), description: 'Filter by tag.' },
      author: { schema: z.string(), description: 'Filter by an author’s slug, including earlier ones.' },
      language,
      q: {
        schema: z.string().max(open.MAX_SEARCH_TEXT),
        description:
          'Search title, excerpt, tags and content. All words must match. Use `-word` to exclude, `or` for alternatives; ' +
          'the last word matches as a prefix. Case and accents are ignored. Results are newest first.',
      },
      include_content: {
        schema: z.boolean().default(false),
        description: 'Set to `true` to include `content` in every item.',
      },
      fields: fieldsParameter(open.LIST_FIELDS),
      since: {
        schema: z.string(),
        description:
          '`0`, or `next_since` from an earlier response. Returns only changes since then, oldest first, including removed posts. ' +
          'Combine it only with `limit`, `fields` and `include_content`.',
      },
    },
    answers: { 200: z.union([open.publicBlogList, open.chosenBlogList, open.publicBlogChanges]) },
    errors: {
      400: 'A parameter is out of range.',
      410: 'The position is too old. Start over with `since=0`.',
    },
  },
  {
    id: 'getPublicBlog',
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}`,
    summary: 'Get a published post',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey, fields: fieldsParameter(open.BLOG_FIELDS) },
    answers: { 200: z.union([open.publicBlog, open.chosenBlog]) },
    errors: { 400: 'A parameter is out of range.', 404: NO_BLOG },
  },
  {
    id: 'getSitemap',
    method: 'get',
    path: `${PUBLIC}/blogs/sitemap`,
    summary: 'List published slugs and dates',
    description: 'The newest 5,000 posts.',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey, language },
    answers: { 200: open.publicSitemap },
    errors: { 400: 'A parameter is out of range.' },
  },
  {
    id: 'listRedirects',
    method: 'get',
    path: `${PUBLIC}/redirects`,
    summary: 'List redirects from earlier slugs',
    description:
      'Returns every earlier slug of a published post with its current slug: one hop, no loops. Slugs that another post now uses ' +
      'are left out. Use this to generate your site’s redirects.',
    credential: 'publicKey',
    ...conditional,
    query: {
      api_key: apiKey,
      limit: limitParameter(open.REDIRECT_LIMIT, 'Maximum number of redirects.'),
      offset: { schema: z.int().min(0).default(0), description: 'Number of redirects to skip.' },
    },
    answers: { 200: open.publicRedirects },
    errors: { 400: 'A parameter is out of range.' },
  },
  {
    id: 'listPublicAuthors',
    method: 'get',
    path: `${PUBLIC}/authors`,
    summary: 'List authors',
    description: 'All authors of the project, without email addresses.',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey },
    answers: { 200: open.publicAuthors },
  },
  {
    id: 'listRelatedBlogs',
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}/related`,
    summary: 'List related posts',
    description: 'Posts with the same tags or categories, best match first.',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey, limit: limitParameter(open.RELATED_LIMIT) },
    answers: { 200: open.relatedBlogs },
    errors: { 400: 'A parameter is out of range.', 404: NO_BLOG },
  },
  {
    id: 'getBlogPosting',
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}/json-ld`,
    summary: 'Get a post as JSON-LD',
    description:
      'A schema.org `BlogPosting`. Embed it in `<script type="application/ld+json">` as is: it contains no `<`.',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey },
    answers: { 200: open.blogPosting },
    jsonType: 'application/ld+json',
    errors: { 404: `${NO_BLOG} Or the project has no site URL.` },
  },
  {
    id: 'getLlmsTxt',
    method: 'get',
    path: `${PUBLIC}/llms.txt`,
    summary: 'Get llms.txt',
    description: 'The newest 500 posts in the llms.txt format (llmstxt.org).',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey, language },
    answers: { 200: TEXT },
    errors: { 400: 'A parameter is out of range.', 404: 'The project has no site URL.' },
  },
  {
    id: 'getRssFeed',
    path: `${PUBLIC}/feed.xml`,
    summary: 'Get an RSS feed',
    description: 'RSS 2.0: the newest posts with their content.',
    ...feed,
    answers: { 200: RSS },
  },
  {
    id: 'getJsonFeed',
    path: `${PUBLIC}/feed.json`,
    summary: 'Get a JSON Feed',
    description: 'JSON Feed 1.1: the newest posts with their content.',
    ...feed,
    answers: { 200: open.jsonFeed },
    jsonType: 'application/feed+json',
  },
  {
    id: 'getSitemapFile',
    method: 'get',
    path: `${PUBLIC}/sitemap.xml`,
    summary: 'Get an XML sitemap',
    description: 'For search engines (sitemaps.org 0.9): the newest 5,000 posts.',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey, language },
    answers: { 200: XML },
    errors: { 400: 'A parameter is out of range.', 404: 'The project has no site URL.' },
  },
];
