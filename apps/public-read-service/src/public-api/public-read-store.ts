import type { Segment } from '@blog-content/link-resolver';
import type { Pool } from 'pg';
import type { ListQuery } from './parse-list-query.ts';
import { asTexts, readRows, toBlogWithContent, toIsoTime, toSummary, type ReadRows } from './read-rows.ts';
import {
  FIND_BLOG,
  FIND_PROJECTS,
  LIST_RELATED,
  LIST_SITEMAP,
  listStatement,
  type Statement,
} from './read-statements.ts';

/** A project and the version of what its readers see: a decimal integer that grows with every visible change. */
export interface ProjectVersion {
  readonly projectId: string;
  readonly version: string;
}

/** A published blog without its content. */
export interface BlogSummary {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly featuredImageUrl: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** ISO 8601 UTC with milliseconds. */
  readonly publishedAt: string;
}

/** A published blog with its content, cut at its link placeholders. */
export interface BlogWithContent extends BlogSummary {
  /** ISO 8601 UTC with milliseconds. */
  readonly updatedAt: string;
  readonly segments: readonly Segment[];
}

/** What placeholders are resolved against: the project's site and the published targets by slug. */
export interface LinkContext {
  readonly siteUrl: string | null;
  readonly targets: ReadonlyMap<string, { readonly title: string }>;
}

export interface BlogPage extends LinkContext {
  readonly version: string;
  /** All published blogs that match, whatever the page. */
  readonly total: number;
  /** With content exactly when the query asks for it. */
  readonly blogs: readonly (BlogSummary & Partial<BlogWithContent>)[];
}

export interface FoundBlog extends LinkContext {
  readonly version: string;
  /** Null when no published blog of the project has the slug. */
  readonly blog: BlogWithContent | null;
}

export interface Related {
  readonly version: string;
  /** Null when no published blog of the project has the slug. */
  readonly related: { readonly blogs: readonly BlogSummary[]; readonly total: number } | null;
}

export interface Feed extends LinkContext {
  readonly version: string;
  /** The project's name; null until its own event has come. */
  readonly name: string | null;
  readonly blogs: readonly BlogWithContent[];
}

export interface Sitemap {
  readonly version: string;
  readonly siteUrl: string | null;
  /** Newest first, at most 5,000. */
  readonly entries: readonly Pick<BlogWithContent, 'slug' | 'publishedAt' | 'updatedAt'>[];
}

/**
 * What the public API reads. Each method is one statement, so it sees one state of the database: never half of a
 * publish, and always content that belongs to the version it returns. Those of a project resolve to null when the
 * project is gone.
 */
export interface PublicReadStore {
  /** The projects whose keys have these SHA-256 (lowercase hexadecimal), by hash. */
  findProjects(keyHashes: readonly string[]): Promise<ReadonlyMap<string, ProjectVersion>>;
  /** A page in the order of `published_at`, then `id`, both descending. */
  listBlogs(projectId: string, query: ListQuery): Promise<BlogPage | null>;
  findBlog(projectId: string, slug: string): Promise<FoundBlog | null>;
  /** Other blogs that share tags or categories with it: those that share most first, then the newest. */
  listRelated(projectId: string, slug: string, limit: number): Promise<Related | null>;
  /** The newest blogs with their content. */
  listFeed(projectId: string, limit: number): Promise<Feed | null>;
  listSitemap(projectId: string): Promise<Sitemap | null>;
}

/** From here on, skipping through the index alone is faster than through the rows. */
const DEEP_OFFSET = 500;

/**
 * The public API's store on this service's database. Statements are prepared on each connection, and return texts that are
 * taken apart here: what `pg` and Prisma do with values costs more than finding them.
 */
export function createPublicReadStore(pool: Pick<Pool, 'query'>): PublicReadStore {
  async function read(statement: Statement, ...values: unknown[]): Promise<readonly unknown[]> {
    const { rows } = await pool.query({ ...statement, ...asTexts, values });
    return rows;
  }

  async function list(projectId: string, query: ListQuery): Promise<ReadRows | null> {
    const { limit, offset, category, includeContent, tag, search } = query;
    const statement = listStatement({
      category: category !== null,
      tag: tag !== undefined,
      search: search !== undefined,
      deep: offset >= DEEP_OFFSET,
      content: includeContent,
    });
    const filters = [category ?? undefined, tag, search].filter((filter) => filter !== undefined);
    return readRows(await read(statement, projectId, limit, offset, ...filters));
  }

  return {
    async findProjects(keyHashes) {
      const rows = (await read(FIND_PROJECTS, keyHashes)) as readonly [hash: string, id: string, version: string][];
      return new Map(rows.map(([keyHash, projectId, version]) => [keyHash, { projectId, version }]));
    },

    async listBlogs(projectId, query) {
      const found = await list(projectId, query);
      if (found === null) return null;
      const { total, blogs } = found;
      return { ...found, total: total ?? 0, blogs: blogs.map(query.includeContent ? toBlogWithContent : toSummary) };
    },

    async findBlog(projectId, slug) {
      const found = readRows(await read(FIND_BLOG, projectId, slug));
      if (found === null) return null;
      const [blog] = found.blogs;
      return { ...found, blog: blog === undefined ? null : toBlogWithContent(blog) };
    },

    async listRelated(projectId, slug, limit) {
      const found = readRows(await read(LIST_RELATED, projectId, slug, limit));
      if (found === null) return null;
      const { version, total, blogs } = found;
      return { version, related: total === null ? null : { total, blogs: blogs.map(toSummary) } };
    },

    async listFeed(projectId, limit) {
      const found = await list(projectId, { limit, offset: 0, category: null, includeContent: true });
      return found && { ...found, blogs: found.blogs.map(toBlogWithContent) };
    },

    async listSitemap(projectId) {
      const [row] = (await read(LIST_SITEMAP, projectId)) as readonly SitemapRow[];
      if (row === undefined) return null;
      const [version, siteUrl, blogs] = row;
      return { version, siteUrl, entries: blogs === null ? [] : blogs.split(',').map(toSitemapEntry) };
    },
  };
}

type SitemapRow = readonly [version: string, siteUrl: string | null, blogs: string | null];

function toSitemapEntry(text: string): Sitemap['entries'][number] {
  const [slug = '', publishedAt = '', updatedAt = ''] = text.split(' ');
  return { slug, publishedAt: toIsoTime(publishedAt), updatedAt: toIsoTime(updatedAt) };
}
