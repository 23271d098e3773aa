import { feedChannel } from './feeds/feed-channel.ts';
import { renderJsonFeed } from './feeds/render-json-feed.ts';
import { renderRss } from './feeds/render-rss.ts';
import type { BlogWithContent } from '../queries/published-blog.ts';
import type { PageFrame } from '../queries/public-read-store.ts';
import type { PageQuery } from '../request/parse-public-query.ts';
import { renderList } from './render.ts';

type Blogs = AsyncIterable<BlogWithContent>;

/** The text that runPublicQuery makes of a page, a post at a time. */
export function renderInChunks(query: PageQuery, page: PageFrame, blogs: Blogs): AsyncGenerator<string> {
  if (query.kind === 'list') {
    const render = (items: readonly BlogWithContent[]) =>
      JSON.stringify(renderList({ ...page, blogs: items }, query.query));
    return aroundItems(render, blogs, '{"blogs":['.length, ',');
  }
  const channel = feedChannel(page);
  if (channel === null) throw new Error('The project lost its site URL.');
  if (query.format === 'json') {
    const render = (items: readonly BlogWithContent[]) =>
      JSON.stringify(renderJsonFeed({ ...page, blogs: items }, channel));
    return aroundItems(render, blogs, render([]).length - ']}'.length, ',');
  }
  const changedAt = new Date(Number(page.version));
  const render = (items: readonly BlogWithContent[]) => renderRss({ ...page, blogs: items }, channel, changedAt);
  return aroundItems(render, blogs, render([]).indexOf('</channel></rss>'), '');
}

/** @param itemsAt where items belong in the text that is rendered without any. */
async function* aroundItems(
  render: (blogs: readonly BlogWithContent[]) => string,
  blogs: Blogs,
  itemsAt: number,
  separator: string,
): AsyncGenerator<string> {
  const frame = render([]);
  const tailLength = frame.length - itemsAt;
  yield frame.slice(0, itemsAt);
  let before = '';
  for await (const blog of blogs) {
    yield before + render([blog]).slice(itemsAt, -tailLength);
    before = separator;
  }
  yield frame.slice(itemsAt);
}
