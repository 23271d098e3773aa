import { defineConfig } from 'astro/config';

export default defineConfig({
  // The site address of the project: links between posts lead there.
  site: process.env.SITE_URL ?? 'https://example.com',
  trailingSlash: 'always',
});
