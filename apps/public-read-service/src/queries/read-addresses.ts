import { LIST_AUTHORS, LIST_REDIRECTS, listSitemap } from './address-statements.ts';
import type { BlogWithContent, StoredAuthor } from './published-blog.ts';
import { toIsoTime } from './read-rows.ts';
import type { ReadStatement } from './row-statements.ts';

export interface Sitemap {
  readonly version: string;
  readonly siteUrl: string | null;
  /** Newest first, at most 5,000. */
  readonly entries: readonly Pick<BlogWithContent, 'slug' | 'publishedAt' | 'updatedAt'>[];
}

/** Which redirects are listed. */
export interface RedirectQuery {
  readonly limit: number;
  readonly offset: number;
}

export interface RedirectPage {
  readonly version: string;
  /** In the order of `from`: an earlier slug of a published blog, which no blog is published under, and its slug. */
  readonly redirects: readonly Redirect[];
  /** The number over all pages. */
  readonly total: number;
}

export interface Redirect {
  readonly from: string;
  readonly to: string;
}

interface SitemapRow {
  readonly version: string;
  readonly site_url: string | null;
  readonly entries: string | null;
}

/** Which blogs a sitemap has. */
export interface SitemapFilter {
  /** Only those that search engines may show. */
  readonly isIndexed: boolean;
  /** Only those of this language. */
  readonly language?: string | undefined;
}

/** Null when the project is gone. */
export async function readSitemap(
  read: ReadStatement,
  projectId: string,
  { isIndexed, language }: SitemapFilter,
): Promise<Sitemap | null> {
  const statement = listSitemap({ indexed: isIndexed, language: language !== undefined });
  const [row] = await read<SitemapRow>(statement, projectId, ...(language === undefined ? [] : [language]));
  if (row === undefined) return null;
  const { version, site_url: siteUrl, entries } = row;
  return { version, siteUrl, entries: entries === null ? [] : entries.split(',').map(toSitemapEntry) };
}

function toSitemapEntry(text: string): Sitemap['entries'][number] {
  const [slug = '', publishedAt = '', updatedAt = ''] = text.split(' ');
  return { slug, publishedAt: toIsoTime(publishedAt), updatedAt: toIsoTime(updatedAt) };
}

export interface AuthorPage {
  readonly version: string;
  readonly authors: readonly StoredAuthor[];
}

/** Null when the project is gone. */
export async function readAuthors(read: ReadStatement, projectId: string): Promise<AuthorPage | null> {
  const [row] = await read<{ version: string; authors: string | null }>(LIST_AUTHORS, projectId);
  if (row === undefined) return null;
  const { version, authors } = row;
  return { version, authors: authors === null ? [] : (JSON.parse(authors) as StoredAuthor[]) };
}

interface RedirectsRow {
  readonly version: string;
  readonly total: string;
  readonly redirects: string | null;
}

/** Null when the project is gone. */
export async function readRedirects(
  read: ReadStatement,
  projectId: string,
  { limit, offset }: RedirectQuery,
): Promise<RedirectPage | null> {
  const [row] = await read<RedirectsRow>(LIST_REDIRECTS, projectId, limit, offset);
  if (row === undefined) return null;
  const { version, total, redirects } = row;
  return { version, total: Number(total), redirects: redirects === null ? [] : redirects.split(',').map(toRedirect) };
}

function toRedirect(text: string): Redirect {
  const [from = '', to = ''] = text.split(' ');
  return { from, to };
}
