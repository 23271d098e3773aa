import { z } from 'zod';
import { timestamp } from './primitives.ts';

/** Page size and offset of the list endpoint (spec §8). */
export const LIST_LIMIT = { default: 50, min: 1, max: 100 } as const;
/** Most entries of the sitemap answer (spec §4.3). */
export const SITEMAP_MAX_ENTRIES = 5_000;

const blogFields = {
  id: z.uuid(),
  title: z.string(),
  slug: z.string(),
  excerpt: z.string(),
  meta_title: z.string(),
  meta_description: z.string(),
  featured_image_url: z.string().nullable(),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  published_at: timestamp,
};

/** A blog in the list answer (spec §2.1); `content` only when asked for. */
export const publicBlogListItem = z.object({ ...blogFields, content: z.string().optional() });
export type PublicBlogListItem = z.infer<typeof publicBlogListItem>;

/** One blog (spec §2.2). */
export const publicBlog = z.object({
  ...blogFields,
  content: z.string(),
  updated_at: timestamp,
  word_count: z.int().min(0),
});
export type PublicBlog = z.infer<typeof publicBlog>;

/** `GET /blogs` (spec §4.1). */
export const publicBlogList = z.object({
  blogs: z.array(publicBlogListItem),
  total: z.int().min(0).describe('All published blogs after the category filter.'),
  limit: z.int().min(LIST_LIMIT.min).max(LIST_LIMIT.max),
  offset: z.int().min(0),
});
export type PublicBlogList = z.infer<typeof publicBlogList>;

/** One sitemap entry (spec §2.3). */
export const sitemapEntry = z.object({ slug: z.string(), published_at: timestamp, updated_at: timestamp });

/** `GET /blogs/sitemap` (spec §4.3). */
export const publicSitemap = z.object({
  blogs: z.array(sitemapEntry).max(SITEMAP_MAX_ENTRIES),
  total: z.int().min(0).describe('Number of entries returned.'),
});
export type PublicSitemap = z.infer<typeof publicSitemap>;

/** Every error of the public API (spec §7.1). */
export const publicError = z.object({ detail: z.string() });
