import type { Feed } from '../../queries/public-read-store.ts';
import { escapeXml } from './escape-xml.ts';
import { feedContent } from './feed-content.ts';
import { authorsOf } from '../render.ts';
import { labelsOf, postUrl, type FeedChannel } from './feed-channel.ts';

const DUBLIN_CORE = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';

/**
 * An RSS 2.0 feed with whole posts in `content:encoded`. Content is escaped rather than put into CDATA: one rule for
 * every text, and `<![CDATA[` in front of content would be able to spell a link placeholder with it.
 *
 * @param changedAt when the project last changed for readers
 */
export function renderRss(feed: Feed, channel: FeedChannel, changedAt: Date): string {
  const items = feed.blogs.map((blog) => {
    const authors = authorsOf(blog.extra, feed.authors);
    return [
      '<item>',
      element('title', blog.title),
      element('link', postUrl(channel, blog.slug)),
      `<guid isPermaLink="false">${escapeXml(blog.id)}</guid>`,
      element('pubDate', rfc822(new Date(blog.publishedAt))),
      // The namespace is declared here, so that a feed without authors keeps its bytes.
      ...authors.map(({ name }) => `<dc:creator ${DUBLIN_CORE}>${escapeXml(name)}</dc:creator>`),
      ...labelsOf(blog).map((label) => element('category', label)),
      element('description', blog.excerpt),
      element('content:encoded', feedContent(blog, feed, channel)),
      '</item>\n',
    ].join('');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>\n',
    element('title', channel.title),
    element('link', `${channel.siteUrl}/`),
    element('description', channel.title),
    element('lastBuildDate', rfc822(changedAt)),
    '\n',
    ...items,
    '</channel></rss>\n',
  ].join('');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** A date as RSS wants it: RFC 822 with four digits of the year. */
function rfc822(date: Date): string {
  return date.toUTCString();
}
