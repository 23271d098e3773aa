import { blog } from '#lib/server/blog.js';

export const prerender = true;

export const GET = async () =>
  new Response(await blog.sitemapXml(), { headers: { 'content-type': 'application/xml' } });
