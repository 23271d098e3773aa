import { blog } from '../blog';

export const GET = async () => new Response(await blog.sitemapXml());
