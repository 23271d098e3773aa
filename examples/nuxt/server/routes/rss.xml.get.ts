export default defineEventHandler((event) => {
  setHeader(event, 'content-type', 'application/rss+xml; charset=utf-8');
  return blog.rssFeed();
});
