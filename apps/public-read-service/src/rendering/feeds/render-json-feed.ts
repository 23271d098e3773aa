import type { JsonFeed, PublicAuthor } from '@blog-content/payload-schemas';
import type { Feed } from '../../queries/public-read-store.ts';
import { feedContent } from './feed-content.ts';
import { authorsOf } from '../render.ts';
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
      ...ofAuthors(authorsOf(blog.extra, feed.authors)),
    })),
  };
}

function ofAuthors(authors: readonly PublicAuthor[]): Pick<JsonFeed['items'][number], 'authors'> {
  if (authors.length === 0) return {};
  return {
    authors: authors.map(({ name, url, avatar_url: avatar }) => ({
      name,
      ...(url !== null && { url }),
      ...(avatar !== null && { avatar }),
    })),
  };
}
