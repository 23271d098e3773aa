import { createClient } from '@blog-content/client';
import { building } from '$app/environment';

const { BLOG_API = '', BLOG_KEY = '' } = process.env;

/** The site address of the project: links between posts lead there. */
export const siteUrl = (process.env.SITE_URL ?? 'https://example.com').replace(/\/$/, '');

/** The project's published posts. Needs `BLOG_API`, the service's address, and `BLOG_KEY`, the project's public key. */
export const blog = createClient({ baseUrl: BLOG_API, key: BLOG_KEY });

const PAGE_SIZE = 20;

/** Read once for a build. */
let built;

/** All posts without their HTML, newest first. */
function allPosts() {
  if (!building) return Array.fromAsync(blog.all());
  return (built ??= Array.fromAsync(blog.all()));
}

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

/** All pages of all lists: `/`, `/2/`, `/categories/soups-stews/`, … */
export async function lists() {
  const byCategory = new Map();
  const posts = (await allPosts()).map((post) => {
    const categories = post.categories.map((name) => ({ name, url: `/categories/${slugOf(name)}/` }));
    return { slug: post.slug, title: post.title, excerpt: post.excerpt, categories };
  });
  for (const post of posts) {
    for (const { name, url } of post.categories) {
      if (!byCategory.has(url)) byCategory.set(url, { name, posts: [] });
      byCategory.get(url).posts.push(post);
    }
  }
  return [
    ...paginate('/', 'Blog', posts),
    ...[...byCategory].flatMap(([url, category]) => paginate(url, category.name, category.posts)),
  ];
}
