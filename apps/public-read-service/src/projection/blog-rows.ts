import { toArrayText } from './sql-text.ts';
import type { PublishedBlog } from './to-published-blog.ts';

/** The columns of `published_blog` that a row of {@link BLOG_ROWS} gives, in its order. */
export const BLOG_COLUMNS = `id, project_id, slug, title, excerpt, meta_title, meta_description, featured_image_url,
  categories, tags, segments, link_slugs, published_at, updated_at, search`;

/** What `ON CONFLICT (id)` puts into a row that is there: all of {@link BLOG_COLUMNS} but the id. */
export const BLOG_UPDATES = BLOG_COLUMNS.split(',')
  .map((column) => column.trim())
  .filter((column) => column !== 'id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/** Blogs as rows: a SELECT whose parameters 1 to 15 are what {@link toBlogArrays} gives. */
export const BLOG_ROWS = `
  SELECT id, project_id, slug, title, excerpt, meta_title, meta_description, featured_image_url, categories::text[],
    tags::text[], segments::jsonb, link_slugs::text[], published_at, updated_at,
    array_to_tsvector(string_to_array(search, ' '))
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::text[])
  AS row (${BLOG_COLUMNS})`;

/** A column of several rows. */
type ColumnArray = (string | null)[];

/** The columns of many blogs, one array each: one statement writes them however many they are. */
export function toBlogArrays(blogs: readonly PublishedBlog[]): ColumnArray[] {
  return [
    blogs.map((blog) => blog.id),
    blogs.map((blog) => blog.projectId),
    blogs.map((blog) => blog.slug),
    blogs.map((blog) => blog.title),
    blogs.map((blog) => blog.excerpt),
    blogs.map((blog) => blog.metaTitle),
    blogs.map((blog) => blog.metaDescription),
    blogs.map((blog) => blog.featuredImageUrl),
    blogs.map((blog) => toArrayText(blog.categories)),
    blogs.map((blog) => toArrayText(blog.tags)),
    blogs.map((blog) => JSON.stringify(blog.segments)),
    blogs.map((blog) => toArrayText(blog.linkSlugs)),
    blogs.map((blog) => blog.publishedAt.toISOString()),
    blogs.map((blog) => blog.updatedAt.toISOString()),
    blogs.map((blog) => blog.search),
  ];
}
