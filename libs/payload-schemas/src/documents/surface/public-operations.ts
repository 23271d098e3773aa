import { z } from 'zod';
import * as open from '../../public-api.ts';
import { RSS, TEXT, XML, type OperationRow, type QueryParameter } from '../operation.ts';

const PUBLIC = '/blog/api/v1/public';

const apiKey = { schema: z.string(), description: 'Project key; not needed when the Authorization header is sent.' };
const conditional = { ifNoneMatch: true, ifModifiedSince: true } as const;
const NO_BLOG =
  'The slug is not in the project, or the blog is not published. For an earlier slug, `detail` names the present one.';

/** What both feeds take. */
const feed = {
  method: 'get',
  credential: 'publicKey',
  ...conditional,
  query: { api_key: apiKey, limit: limitParameter(open.FEED_LIMIT) },
  errors: { 400: 'A parameter is out of its bounds.', 404: 'The project has no site address.' },
} as const;

function fieldsParameter(names: readonly string[]): QueryParameter {
  return {
    schema: z.string(),
    description: `Only these fields of a blog, with commas between: of ${names.join(', ')}. Beyond the specification.`,
  };
}

function limitParameter(
  { min, max, default: usual }: Record<'min' | 'max' | 'default', number>,
  description = 'Most blogs to list.',
): QueryParameter {
  return { schema: z.int().min(min).max(max).default(usual), description };
}

/** What the public read API answers (contract §4). */
export const publicOperations: OperationRow[] = [
  {
    id: 'listPublicBlogs',
    method: 'get',
    path: `${PUBLIC}/blogs`,
    summary: 'List published blogs, newest first (contract §4.1)',
    credential: 'publicKey',
    ...conditional,
    query: {
      api_key: apiKey,
      limit: {
        schema: z.int().min(open.LIST_LIMIT.min).max(open.LIST_LIMIT.max).default(open.LIST_LIMIT.default),
        description: 'Page size.',
      },
      offset: { schema: z.int().min(0).default(0), description: 'Blogs to skip.' },
      category: { schema: z.string(), description: 'Only blogs that include this category name.' },
      tag: { schema: z.string(), description: 'Only blogs that include this tag. Beyond the specification.' },
      q: {
        schema: z.string().max(open.MAX_SEARCH_TEXT),
        description:
          'Only blogs with these words in title, excerpt, tags or content; `-word` must not be there, `or` separates ' +
          'alternatives, the last word may be the beginning of one. Case and accents do not count. Newest first, too. Beyond the specification.',
      },
      include_content: { schema: z.boolean().default(false), description: '`true` adds `content` to every item.' },
      fields: fieldsParameter(open.LIST_FIELDS),
      since: {
        schema: z.string(),
        description:
          '`0`, or what an earlier answer gave as `next_since`: only what has changed since, oldest change first, with ' +
          'what is no more. Goes with `limit`, `fields` and `include_content` only. Beyond the specification.',
      },
    },
    answers: { 200: z.union([open.publicBlogList, open.chosenBlogList, open.publicBlogChanges]) },
    errors: {
      400: 'A parameter is out of its bounds.',
      410: 'What has changed since then is not known any more: begin anew, with `since=0`.',
    },
  },
  {
    id: 'getPublicBlog',
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}`,
    summary: 'Get one published blog (contract §4.2)',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey, fields: fieldsParameter(open.BLOG_FIELDS) },
    answers: { 200: z.union([open.publicBlog, open.chosenBlog]) },
    errors: { 400: 'A parameter is out of its bounds.', 404: NO_BLOG },
  },
  {
    id: 'getSitemap',
    method: 'get',
    path: `${PUBLIC}/blogs/sitemap`,
    summary: 'Slugs and dates of the newest 5,000 published blogs (contract §4.3)',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey },
    answers: { 200: open.publicSitemap },
  },
  {
    id: 'listRedirects',
    method: 'get',
    path: `${PUBLIC}/redirects`,
    summary: 'List redirects from earlier slugs',
    description:
      'Every slug that a published blog had before, with its present slug: one hop, never a loop. Slugs that another ' +
      'blog is published under now are left out. Redirect the pages of your site by it. Beyond the specification.',
    credential: 'publicKey',
    ...conditional,
    query: {
      api_key: apiKey,
      limit: limitParameter(open.REDIRECT_LIMIT, 'Most redirects to list.'),
      offset: { schema: z.int().min(0).default(0), description: 'Redirects to skip.' },
    },
    answers: { 200: open.publicRedirects },
    errors: { 400: 'A parameter is out of its bounds.' },
  },
  {
    id: 'listRelatedBlogs',
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}/related`,
    summary: 'Blogs that share tags or categories with one, those that share most first',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey, limit: limitParameter(open.RELATED_LIMIT) },
    answers: { 200: open.relatedBlogs },
    errors: { 400: 'A parameter is out of its bounds.', 404: NO_BLOG },
  },
  {
    id: 'getBlogPosting',
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}/json-ld`,
    summary: 'One published blog as JSON-LD: a BlogPosting of schema.org',
    description: 'It may be put into a `<script type="application/ld+json">` as it is: no `<` is in it.',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey },
    answers: { 200: open.blogPosting },
    jsonType: 'application/ld+json',
    errors: { 404: `${NO_BLOG} Or the project has no site address.` },
  },
  {
    id: 'getLlmsTxt',
    method: 'get',
    path: `${PUBLIC}/llms.txt`,
    summary: 'The newest 500 published blogs as a site’s llms.txt (llmstxt.org)',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey },
    answers: { 200: TEXT },
    errors: { 404: 'The project has no site address.' },
  },
  {
    id: 'getRssFeed',
    path: `${PUBLIC}/feed.xml`,
    summary: 'The newest blogs with their content as RSS 2.0',
    ...feed,
    answers: { 200: RSS },
  },
  {
    id: 'getJsonFeed',
    path: `${PUBLIC}/feed.json`,
    summary: 'The newest blogs with their content as JSON Feed 1.1',
    ...feed,
    answers: { 200: open.jsonFeed },
    jsonType: 'application/feed+json',
  },
  {
    id: 'getSitemapFile',
    method: 'get',
    path: `${PUBLIC}/sitemap.xml`,
    summary: 'The newest 5,000 published blogs as a sitemap for search engines (sitemaps.org 0.9)',
    credential: 'publicKey',
    ...conditional,
    query: { api_key: apiKey },
    answers: { 200: XML },
    errors: { 404: 'The project has no site address.' },
  },
];
