import { blog } from '../blog';

export const dynamic = 'force-static';

export const GET = async () =>
  new Response(await blog.rssFeed(), { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } });
