import type { Feed } from '../../queries/public-read-store.ts';
import { renderContent } from '../render.ts';
import { withAbsoluteAddresses } from './absolute-addresses.ts';
import { postUrl, type FeedChannel } from './feed-channel.ts';

/** The content of a post as feeds have it: resolved, with whole addresses. */
export function feedContent(blog: Feed['blogs'][number], feed: Feed, channel: FeedChannel): string {
  return withAbsoluteAddresses(renderContent(blog, feed), postUrl(channel, blog.slug));
}
