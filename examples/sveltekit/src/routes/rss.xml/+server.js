import { blog } from '#lib/server/blog.js';

export const prerender = true;

export const GET = async () =>
  new Response(await blog.rssFeed(), { headers: { 'content-type': 'application/rss+xml' } });
