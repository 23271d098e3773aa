import type { PublishedBlog } from './to-published-blog.ts';

/** `featuredImageUrl` → `featured_image_url`. */
type ColumnOf<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : '';

/** The columns of `published_blog`, each with the type that it has in JSON: one for each part of a blog. */
const COLUMNS = {
  id: 'uuid',
  project_id: 'uuid',
  slug: 'text',
  title: 'text',
  excerpt: 'text',
  meta_title: 'text',
  meta_description: 'text',
  featured_image_url: 'text',
  categories: 'text[]',
  tags: 'text[]',
  extra: 'jsonb',
  segments: 'jsonb',
  link_slugs: 'text[]',
  link_bindings: 'jsonb',
  published_at: 'timestamptz',
  updated_at: 'timestamptz',
  search: 'text',
} as const satisfies Record<ColumnOf<keyof PublishedBlog>, string>;

type Column = keyof typeof COLUMNS;

const names = Object.keys(COLUMNS) as Column[];
export const BLOG_COLUMNS: readonly string[] = names;
const updates = names.filter((name) => name !== 'id').map((name) => `${name} = excluded.${name}`);
const values = names.map((name) => (name === 'search' ? "array_to_tsvector(string_to_array(search, ' '))" : name));

/** Inserts blogs, or replaces those with their ids. `blogs`: the parameter with what {@link toBlogRows} gives. */
export const upsertBlogs = (table: 'published_blog' | 'published_blog_next', blogs: `$${number}`): string => `
  INSERT INTO ${table} (${names.join(', ')})
  SELECT ${values.join(', ')}
  FROM json_to_recordset(${blogs}::json) AS blog (${names.map((name) => `${name} ${COLUMNS[name]}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`;

/** Blogs as rows in JSON. */
export function toBlogRows(blogs: readonly PublishedBlog[]): string {
  const rows = blogs.map((blog): Record<Column, unknown> => ({
    id: blog.id,
    project_id: blog.projectId,
    slug: blog.slug,
    title: blog.title,
    excerpt: blog.excerpt,
    meta_title: blog.metaTitle,
    meta_description: blog.metaDescription,
    featured_image_url: blog.featuredImageUrl,
    categories: blog.categories,
    tags: blog.tags,
    extra: blog.extra,
    segments: blog.segments,
    link_slugs: blog.linkSlugs,
    link_bindings: blog.linkBindings,
    published_at: blog.publishedAt,
    updated_at: blog.updatedAt,
    search: blog.search,
  }));
  return JSON.stringify(rows);
}
