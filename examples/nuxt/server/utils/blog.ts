import { createClient, type ListedPost } from '@blog-content/client';

const { BLOG_API = '', BLOG_KEY = '' } = process.env;

/** The project's published posts. Needs `BLOG_API`, the service's address, and `BLOG_KEY`, the project's public key. */
export const blog = createClient({ baseUrl: BLOG_API, key: BLOG_KEY });

const PAGE_SIZE = 20;

/** Read once for a build. */
let built: Promise<ListedPost[]> | undefined;

/** All posts without their HTML, newest first. */
function allPosts(): Promise<ListedPost[]> {
  if (!import.meta.prerender) return Array.fromAsync(blog.all());
  return (built ??= Array.fromAsync(blog.all()));
}

/** What a list shows of a post. */
interface Shown {
  slug: string;
  title: string;
  excerpt: string;
  categories: { name: string; url: string }[];
}

/** A category as part of an address: “Soups & stews” is `soups-stews`. */
const slugOf = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

/** Pages of a list, the first at `path`. */
function paginate(path: string, title: string, posts: Shown[]) {
  const count = Math.max(1, Math.ceil(posts.length / PAGE_SIZE));
  const pathOf = (page: number) => (page === 1 ? path : `${path}${page}/`);
  return Array.from({ length: count }, (_, at) => ({
    title,
    path: pathOf(at + 1),
    posts: posts.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE),
    newer: at > 0 ? pathOf(at) : null,
    older: at + 1 < count ? pathOf(at + 2) : null,
  }));
}

/** All pages of all lists: `/`, `/2/`, `/categories/soups-stews/`, … */
export async function lists() {
  const byCategory = new Map<string, { name: string; posts: Shown[] }>();
  const posts = (await allPosts()).map(({ slug, title, excerpt, categories }): Shown => {
    return {
      slug,
      title,
      excerpt,
      categories: categories.map((name) => ({ name, url: `/categories/${slugOf(name)}/` })),
    };
  });
  for (const post of posts) {
    for (const { name, url } of post.categories) {
      const list = byCategory.get(url) ?? { name, posts: [] };
      list.posts.push(post);
      byCategory.set(url, list);
    }
  }
  const ofCategories = [...byCategory].flatMap(([url, list]) => paginate(url, list.name, list.posts));
  return [...paginate('/', 'Blog', posts), ...ofCategories];
}
