import type { Sitemap } from '../../queries/read-addresses.ts';
import { escapeXml } from './escape-xml.ts';
import { postUrl, type FeedChannel } from './feed-channel.ts';

/**
 * A sitemap for search engines (sitemaps.org 0.9) with the posts that contract §4.3 lists. While there are none it
 * names the site itself: the format has no sitemap without an address.
 */
export function renderSitemapFile({ entries }: Sitemap, channel: FeedChannel): string {
  const urls = entries.map(
    ({ slug, updatedAt }) =>
      `<url><loc>${escapeXml(postUrl(channel, slug))}</loc><lastmod>${updatedAt}</lastmod></url>\n`,
  );
  if (urls.length === 0) urls.push(`<url><loc>${escapeXml(`${channel.siteUrl}/`)}</loc></url>\n`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
    ...urls,
    '</urlset>\n',
  ].join('');
}
