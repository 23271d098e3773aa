import { createClient } from '@blog-content/client';
import { defineConfig } from 'astro/config';

const { BLOG_API = '', BLOG_KEY = '' } = process.env;
const redirects = await createClient({ baseUrl: BLOG_API, key: BLOG_KEY }).redirects();

export default defineConfig({
  // The site address of the project: links between posts lead there.
  site: process.env.SITE_URL ?? 'https://example.com',
  trailingSlash: 'always',
  // Renamed posts. Without an adapter these are pages that lead on; the adapters of hosts make 301s of them.
  redirects: Object.fromEntries(redirects.map(({ from, to }) => [`/blog/${from}/`, `/blog/${to}/`])),
});
