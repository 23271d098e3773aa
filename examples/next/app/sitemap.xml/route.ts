import { blog } from '../blog';

export const dynamic = 'force-static';

export const GET = async () =>
  new Response(await blog.sitemapXml(), { headers: { 'content-type': 'application/xml; charset=utf-8' } });
