import { z } from 'zod';
import * as open from '../../public-api.ts';
import type { OperationRow } from '../operation.ts';

const PUBLIC = '/blog/api/v1/public';

const apiKey = { schema: z.string(), description: 'Project key; not needed when the Authorization header is sent.' };

/** What the public read API answers (spec §4). */
export const publicOperations: OperationRow[] = [
  {
    id: 'listPublicBlogs',
    method: 'get',
    path: `${PUBLIC}/blogs`,
    summary: 'List published blogs, newest first (spec §4.1)',
    credential: 'publicKey',
    ifNoneMatch: true,
    query: {
      api_key: apiKey,
      limit: {
        schema: z.int().min(open.LIST_LIMIT.min).max(open.LIST_LIMIT.max).default(open.LIST_LIMIT.default),
        description: 'Page size.',
      },
      offset: { schema: z.int().min(0).default(0), description: 'Blogs to skip.' },
      category: { schema: z.string(), description: 'Only blogs that include this category name.' },
      include_content: { schema: z.boolean().default(false), description: '`true` adds `content` to every item.' },
    },
    answers: { 200: open.publicBlogList },
    errors: { 400: 'A parameter is out of its bounds.' },
  },
  {
    id: 'getPublicBlog',
    method: 'get',
    path: `${PUBLIC}/blogs/{slug}`,
    summary: 'Get one published blog (spec §4.2)',
    credential: 'publicKey',
    ifNoneMatch: true,
    query: { api_key: apiKey },
    answers: { 200: open.publicBlog },
    errors: { 404: 'The slug is not in the project, or the blog is not published.' },
  },
  {
    id: 'getSitemap',
    method: 'get',
    path: `${PUBLIC}/blogs/sitemap`,
    summary: 'Slugs and dates of the newest 5,000 published blogs (spec §4.3)',
    credential: 'publicKey',
    ifNoneMatch: true,
    query: { api_key: apiKey },
    answers: { 200: open.publicSitemap },
  },
];
