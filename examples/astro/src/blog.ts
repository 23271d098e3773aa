import { createClient, memoryCache } from '@blog-content/client';

const { BLOG_API = '', BLOG_KEY = '' } = process.env;

/** The project's published posts. Needs `BLOG_API`, the service's address, and `BLOG_KEY`, the project's public key. */
export const blog = createClient({ baseUrl: BLOG_API, key: BLOG_KEY, cache: memoryCache() });
