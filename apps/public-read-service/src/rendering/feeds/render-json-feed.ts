import type { JsonFeed } from '@blog-content/payload-schemas';
import type { Feed } from '../../queries/public-read-store.ts';
import { feedContent } from './feed-content.ts';
import { labelsOf, postUrl, type FeedChannel } from './feed-channel.ts';

/** A JSON Feed 1.1 with whole posts. Without `feed_url`: the address of the request may hold the key. */
export function renderJsonFeed(feed: Feed, channel: FeedChannel): JsonFeed {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: channel.title,
    home_page_url: `${channel.siteUrl}/`,
    items: feed.blogs.map((blog) => ({
      id: blog.id,
      url: postUrl(channel, blog.slug),
      title: blog.title,
      content_html: feedContent(blog, feed, channel),
      ...(blog.excerpt !== '' && { summary: blog.excerpt }),
      ...(blog.featuredImageUrl !== null && { image: blog.featuredImageUrl }),
      date_published: blog.publishedAt,
      date_modified: blog.updatedAt,
      tags: labelsOf(blog),
    })),
  };
}
