import type { Database, Transaction } from '../../platform/database/open-database.ts';
import type { Blog, BlogRow } from '../blog-row.ts';
import { renamesInBlogs, withCurrentSlugs } from './link-store.ts';
import { aliasesOf } from './slug-change-store.ts';

/** Stored blogs as they are shown: with the slugs that their links name now, and their aliases. Not to be done twice. */
export async function presentBlogs(tx: Database | Transaction, blogs: readonly BlogRow[]): Promise<Blog[]> {
  const ids = blogs.map(({ id }) => id);
  const published = blogs.filter(({ revision }) => revision > 0).map(({ id }) => id);
  const renames = await renamesInBlogs(tx, ids);
  const aliases = published.length === 0 ? new Map<string, string[]>() : await aliasesOf(tx, published);
  return blogs.map((blog) => ({
    ...withCurrentSlugs(blog, renames.get(blog.id) ?? new Map<string, string>()),
    aliases: aliases.get(blog.id) ?? [],
  }));
}

/** The same for one. */
export async function presentBlog(tx: Database | Transaction, blog: BlogRow): Promise<Blog> {
  const [shown] = await presentBlogs(tx, [blog]);
  return shown!;
}
