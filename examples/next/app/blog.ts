import { createClient, type ListedPost } from '@blog-content/client';
import { cache } from 'react';

const { BLOG_API = '', BLOG_KEY = '' } = process.env;

/** What the webhook says is out of date. */
export const TAG = 'blog';

/** The site address of the project: links between posts lead there. */
export const SITE_URL = (process.env.SITE_URL ?? 'https://example.com').replace(/\/$/, '');

/**
 * The project's published posts, kept by Next until the webhook comes. Needs `BLOG_API`, the service's address, and
 * `BLOG_KEY`, the project's public key.
 */
export const blog = createClient({
  baseUrl: BLOG_API,
  key: BLOG_KEY,
  fetch: (url, init) => fetch(url, { ...init, cache: 'force-cache', next: { tags: [TAG] } }),
});

/** All posts without their HTML, newest first. */
export const allPosts = cache(async () => {
  const posts: ListedPost[] = [];
  for await (const post of blog.all()) posts.push(post);
  return posts;
});

/** Where the old address of a renamed post leads; undefined for an address that nothing was at. */
export const movedTo = cache(async (slug: string) => (await blog.redirects()).find(({ from }) => from === slug)?.to);

/** A category as part of an address: “Soups & stews” is `soups-stews`. */
export const categorySlug = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

const PAGE_SIZE = 20;

/** A page of a list. */
export interface PostPage {
  readonly title: string;
  readonly path: string;
  readonly posts: readonly ListedPost[];
  readonly newer: string | null;
  readonly older: string | null;
}

/** The pages of a list, the first at `path`. */
export function paginate(title: string, path: string, posts: readonly ListedPost[]): PostPage[] {
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
