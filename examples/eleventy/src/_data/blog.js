import { createClient } from '@blog-content/client';

const PAGE_SIZE = 20;

/** A category as part of an address: “Soups & stews” is `soups-stews`. */
const slugOf = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

/** Pages of a list, the first at `path`. */
function paginate(path, title, posts) {
  const count = Math.max(1, Math.ceil(posts.length / PAGE_SIZE));
  const urlOf = (page) => (page === 1 ? path : `${path}${page}/`);
  return Array.from({ length: count }, (_, at) => ({
    title,
    url: urlOf(at + 1),
    posts: posts.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE),
    newer: at > 0 ? urlOf(at) : null,
    older: at + 1 < count ? urlOf(at + 2) : null,
  }));
}

/**
 * What templates know as `blog`. Needs `BLOG_API`, the service's address, and `BLOG_KEY`, the project's public key;
 * `SITE_URL` is the site address of the project, to which links between posts lead.
 */
export default async function () {
  const { BLOG_API, BLOG_KEY, SITE_URL = 'https://example.com' } = process.env;
  const blog = createClient({ baseUrl: BLOG_API, key: BLOG_KEY });

  const posts = [];
  const byCategory = new Map();
  for await (const post of blog.all({ includeContent: true })) {
    post.categories = post.categories.map((name) => ({ name, url: `/categories/${slugOf(name)}/` }));
    posts.push(post);
    for (const { name, url } of post.categories) {
      if (!byCategory.has(url)) byCategory.set(url, { name, posts: [] });
      byCategory.get(url).posts.push(post);
    }
  }
  const categories = [...byCategory].flatMap(([url, { name, posts }]) => paginate(url, name, posts));
  return {
    siteUrl: SITE_URL,
    posts,
    lists: [...paginate('/', 'Blog', posts), ...categories],
    redirects: await blog.redirects(),
    rss: await blog.rssFeed(),
    sitemap: await blog.sitemapXml(),
  };
}
