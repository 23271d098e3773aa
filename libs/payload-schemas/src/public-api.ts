import { z } from 'zod';
import { extras } from './extras/extra-fields.ts';
import { timestamp } from './primitives.ts';

/** Page size and offset of the list endpoint (contract §8). */
export const LIST_LIMIT = { default: 50, min: 1, max: 100 } as const;
/** Most entries of the sitemap answer (contract §4.3). */
export const MAX_SITEMAP_ENTRIES = 5_000;

/** How many related blogs are listed. */
export const RELATED_LIMIT = { default: 5, min: 1, max: 20 } as const;
/** How many redirects are listed. */
export const REDIRECT_LIMIT = { default: 1_000, min: 1, max: 5_000 } as const;
/** How many blogs a feed has. */
export const FEED_LIMIT = { default: 50, min: 1, max: 100 } as const;
/** Most posts that `llms.txt` names. */
export const MAX_LLMS_ENTRIES = 500;
/** Longest text to search for, in UTF-16 code units. */
export const MAX_SEARCH_TEXT = 200;

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
  ...extras.shapeFor('public'),
};

/** A blog in the list answer (contract §2.1); `content` only when asked for. */
export const publicBlogListItem = z.object({ ...blogFields, content: z.string().optional() });
export type PublicBlogListItem = z.infer<typeof publicBlogListItem>;

/** One blog (contract §2.2). */
export const publicBlog = z.object({
  ...blogFields,
  content: z.string(),
  updated_at: timestamp,
  word_count: z.int().min(0),
});
export type PublicBlog = z.infer<typeof publicBlog>;

/** What `fields` may name, of an item of the list and of one blog, in the order of an answer. */
export const LIST_FIELDS = publicBlogListItem.keyof().options;
export const BLOG_FIELDS = publicBlog.keyof().options;

/** `GET /blogs` (contract §4.1). */
export const publicBlogList = z.object({
  blogs: z.array(publicBlogListItem),
  total: z.int().min(0).describe('All published posts that match the filters.'),
  limit: z.int().min(LIST_LIMIT.min).max(LIST_LIMIT.max),
  offset: z.int().min(0),
});
export type PublicBlogList = z.infer<typeof publicBlogList>;

/** The same with `fields`: of each blog only what is named. */
export const chosenBlogList = publicBlogList.extend({ blogs: z.array(publicBlogListItem.partial()) });

/** Where a blog is no more: it was taken down or deleted, or has another slug. */
export const removedBlog = z.object({
  id: z.uuid(),
  slug: z.string(),
  removed: z.literal(true),
  moved_to: z.string().optional(),
});
export type RemovedBlog = z.infer<typeof removedBlog>;

/** `GET /blogs?since=…`: what has changed since a position, oldest change first. */
export const publicBlogChanges = z.object({
  changes: z.array(z.union([removedBlog, publicBlogListItem.partial()])).max(LIST_LIMIT.max),
  limit: z.int().min(LIST_LIMIT.min).max(LIST_LIMIT.max),
  next_since: z.string(),
  has_more: z.boolean(),
});
export type PublicBlogChanges = z.infer<typeof publicBlogChanges>;

/** One blog with `fields`. */
export const chosenBlog = publicBlog.partial();

/** `GET /blogs/{slug}/related`: list items without `content`. */
export const relatedBlogs = z.object({
  blogs: z.array(publicBlogListItem).max(RELATED_LIMIT.max).describe('Best match first.'),
  total: z.int().min(0).describe('All published posts that share a tag or category with it.'),
});
export type RelatedBlogs = z.infer<typeof relatedBlogs>;

/** One sitemap entry (contract §2.3). */
export const sitemapEntry = z.object({ slug: z.string(), published_at: timestamp, updated_at: timestamp });

/** `GET /blogs/sitemap` (contract §4.3). */
export const publicSitemap = z.object({
  blogs: z.array(sitemapEntry).max(MAX_SITEMAP_ENTRIES),
  total: z.int().min(0).describe('Number of entries returned.'),
});
export type PublicSitemap = z.infer<typeof publicSitemap>;

/** An earlier slug of a published blog, and its present one. */
export const redirect = z.object({ from: z.string(), to: z.string() });
export type Redirect = z.infer<typeof redirect>;

/** `GET /redirects`. */
export const publicRedirects = z.object({
  redirects: z.array(redirect).max(REDIRECT_LIMIT.max),
  total: z.int().min(0).describe('All redirects of the project.'),
  limit: z.int().min(REDIRECT_LIMIT.min).max(REDIRECT_LIMIT.max),
  offset: z.int().min(0),
});
export type PublicRedirects = z.infer<typeof publicRedirects>;

/** Every error of the public API (contract §7.1). */
export const publicError = z.object({ detail: z.string() });

/** `GET /feed.json`: JSON Feed 1.1 (jsonfeed.org), as far as this service uses it. */
export const jsonFeed = z.object({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  home_page_url: z.string(),
  items: z
    .array(
      z.object({
        id: z.uuid(),
        url: z.string(),
        title: z.string(),
        content_html: z.string(),
        summary: z.string().optional(),
        image: z.string().optional(),
        date_published: timestamp,
        date_modified: timestamp,
        tags: z.array(z.string()).describe('Categories and tags.'),
      }),
    )
    .max(FEED_LIMIT.max),
});
export type JsonFeed = z.infer<typeof jsonFeed>;

/** `GET /blogs/{slug}/json-ld`: a `BlogPosting` of schema.org, for a page's `<script type="application/ld+json">`. */
export const blogPosting = z.object({
  '@context': z.literal('https://schema.org').describe('The vocabulary, schema.org.'),
  '@type': z.literal('BlogPosting').describe('The type: a blog post.'),
  '@id': z.string().describe('URL of the post.'),
  mainEntityOfPage: z.string().describe('URL of the post.'),
  url: z.string().describe('URL of the post.'),
  headline: z.string().describe('Title of the post.'),
  description: z.string().describe('`meta_description`.'),
  image: z.array(z.string()).optional().describe('URL of the hero image.'),
  datePublished: timestamp.describe('`published_at`.'),
  dateModified: timestamp.describe('`updated_at`.'),
  articleSection: z.array(z.string()).optional().describe('Category names.'),
  keywords: z.array(z.string()).optional().describe('The tags.'),
  wordCount: z.int().min(0).describe('Number of words in the content.'),
  publisher: z
    .object({
      '@type': z.literal('Organization').describe('The type: an organization.'),
      name: z.string(),
      url: z.string(),
    })
    .describe('The site: name and URL of the project.'),
});
export type BlogPosting = z.infer<typeof blogPosting>;
