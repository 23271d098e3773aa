import { getCollection, type CollectionEntry } from 'astro:content';

export type Post = CollectionEntry<'posts'>;

/** Posts in one list. */
export const PAGE_SIZE = 20;

/** All posts, newest first. */
export async function newestFirst(): Promise<Post[]> {
  const posts = await getCollection('posts');
  return posts.sort((a, b) => b.data.published_at.valueOf() - a.data.published_at.valueOf());
}

/** A category as part of an address: “Soups & stews” is `soups-stews`. */
export const categorySlug = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
