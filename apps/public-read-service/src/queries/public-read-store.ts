import { mapInTurns } from '@blog-content/concurrency';
import { candidateCharacters, linkCharacters } from '@blog-content/link-resolver';
import { inTransaction } from '@blog-content/postgres';
import type { Pool } from 'pg';
import type { ChangesQuery, ListQuery } from '../request/parse-list-query.ts';
import { linksOf, type BlogSummary, type BlogWithContent, type LinkContext } from './published-blog.ts';
import type { FindAccounts } from './find-account.ts';
import type { FindProjects } from './find-project.ts';
import { readRedirects, readSitemap, type RedirectPage, type RedirectQuery, type Sitemap } from './read-addresses.ts';
import { readChanges, type ChangePage, type PositionGone } from './read-changes.ts';
import {
  asTexts,
  readRows,
  type ResultRow,
  toBlogWithContent,
  toSummary,
  withContent,
  type StatementRows,
} from './read-rows.ts';
import {
  CONTENTS_BY_ID,
  DEEP_OFFSET,
  FIND_ACCOUNTS,
  FIND_BLOG,
  FIND_PROJECTS,
  LIST_RELATED,
  listName,
  listStatement,
  type ListShape,
} from './read-statements.ts';
import { type ReadStatement, type Statement, WHOLE_CONTENT_BYTES } from './row-statements.ts';

export interface BlogPage extends LinkContext {
  readonly version: string;
  /** All published blogs that match, whatever the page. */
  readonly total: number;
  /** The project's name; null until its own event has come. */
  readonly name: string | null;
  /** What the contents take in the database, in bytes, and about what their links add. */
  readonly contentBytes: number;
  /**
   * The contents are too large to be read with the page, or looking for openers in them takes as long: `listInChunks`
   * reads it, outside of the thread that answers requests.
   */
  readonly isLarge: boolean;
  /** With content exactly when the query asks for it. None of a large page. */
  readonly blogs: readonly (BlogSummary & Partial<BlogWithContent>)[];
}

export interface BlogResult extends LinkContext {
  readonly version: string;
  /** The project's name; null until its own event has come. */
  readonly name: string | null;
  /** Null when no published blog of the project has the slug. */
  readonly blog: BlogWithContent | null;
  /** Then the slug of the one that had it before, if any. */
  readonly movedTo: string | null;
}

export interface RelatedPage {
  readonly version: string;
  /** Null when no published blog of the project has the slug. */
  readonly related: { readonly blogs: readonly BlogSummary[]; readonly total: number } | null;
  /** Then the slug of the one that had it before, if any. */
  readonly movedTo: string | null;
}

export interface Feed extends LinkContext {
  readonly version: string;
  /** The project's name; null until its own event has come. */
  readonly name: string | null;
  readonly blogs: readonly BlogWithContent[];
}

/** A page without its blogs, which come one after the other. */
export type PageFrame = Omit<BlogPage, 'blogs' | 'isLarge'>;

/**
 * What the public API reads. Each method sees one state of the database: never half of a publish, and always content
 * that belongs to the version it returns. Those of a project resolve to null when the project is gone.
 */
export interface PublicReadStore extends FindProjects, FindAccounts {
  /** A page in the order of `published_at`, then `id`, both descending. */
  listBlogs(projectId: string, query: ListQuery): Promise<BlogPage | null>;
  /**
   * The same page with content, for contents that are too large to be in memory at once: `use` gets the blogs in their
   * order, read a few at a time from one state of the database.
   */
  listInChunks<Result>(
    projectId: string,
    query: ListQuery,
    use: (page: PageFrame, blogs: AsyncIterable<BlogWithContent>) => Promise<Result>,
  ): Promise<Result | null>;
  findBlog(projectId: string, slug: string): Promise<BlogResult | null>;
  /** Other blogs that share tags or categories with it: those that share most first, then the newest. */
  listRelated(projectId: string, slug: string, limit: number): Promise<RelatedPage | null>;
  listSitemap(projectId: string): Promise<Sitemap | null>;
  listRedirects(projectId: string, query: RedirectQuery): Promise<RedirectPage | null>;
  /** What has changed since a position (ADR 16). */
  listChanges(projectId: string, query: ChangesQuery): Promise<ChangePage | PositionGone | null>;
}

/**
 * One snapshot for several statements. It is not taken before the table is locked: a rebuild may replace it while this
 * waits, and what that transaction has written would not be in an older one.
 */
const BEGIN_SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; LOCK TABLE project IN ACCESS SHARE MODE`;

/** About how much of the contents of a large page is read at once. */
const CHUNK_BYTES = 524_288;

/**
 * The public API's store on this service's database. Statements are prepared on each connection. Their values come as
 * text and are parsed here: what `pg` and Prisma do with them costs more than finding them.
 */
export function createPublicReadStore(pool: Pick<Pool, 'query' | 'connect'>): PublicReadStore {
  const readOn =
    (connection: Pick<Pool, 'query'>): ReadStatement =>
    async <Row extends object>(statement: Statement, ...values: unknown[]) =>
      (await connection.query<Row>({ ...statement, ...asTexts, values })).rows;
  const read = readOn(pool);
  /** By name, as they were first read: putting one together takes as long as reading a post. */
  const lists = new Map<string, Statement>();

  async function list(read: ReadStatement, projectId: string, query: ListQuery): Promise<StatementRows | null> {
    const { limit, offset, category, includeContent, tag, search } = query;
    const shape: ListShape = {
      category: category !== null,
      tag: tag !== undefined,
      search: search !== undefined,
      deep: offset >= DEEP_OFFSET,
      content: includeContent,
    };
    const name = listName(shape);
    let statement = lists.get(name);
    if (statement === undefined) lists.set(name, (statement = listStatement(shape)));
    const filters = [category ?? undefined, tag, search].filter((filter) => filter !== undefined);
    return readRows(await read<ResultRow>(statement, projectId, limit, offset, ...filters));
  }

  return {
    async findProjects(keyHashes) {
      const rows = await read<KeyRow>(FIND_PROJECTS, keyHashes);
      return new Map(
        rows.map((row) => [
          row.key_hash,
          { projectId: row.project_id, accountId: row.account_id, version: row.version },
        ]),
      );
    },

    async findAccounts(projectIds) {
      const rows = await read<AccountRow>(FIND_ACCOUNTS, projectIds);
      return new Map(rows.map((row) => [row.project_id, row.account_id]));
    },

    async listBlogs(projectId, query) {
      const found = await list(read, projectId, query);
      if (found === null) return null;
      const page = { ...found, total: found.total ?? 0, isLarge: found.contentBytes > WHOLE_CONTENT_BYTES };
      if (!query.includeContent) return { ...page, blogs: found.blogs.map(toSummary) };
      if (page.isLarge) return { ...page, blogs: [] };
      const blogs = await mapInTurns(found.blogs, toBlogWithContent);
      // Links may make a hundred times as much of a small post.
      const links = blogs.map((blog) => linkCharacters(blog.segments, linksOf(blog, found)));
      const contentBytes = links.reduce((sum, characters) => sum + characters, found.contentBytes);
      // And text that looks like openers takes a hundred times as long as words.
      const work = blogs.reduce((sum, { segments }) => sum + candidateCharacters(segments), contentBytes);
      const isLarge = work > WHOLE_CONTENT_BYTES;
      return { ...page, contentBytes, isLarge, blogs: isLarge ? [] : blogs };
    },

    listInChunks(projectId, query, use) {
      return inTransaction(pool, BEGIN_SNAPSHOT, async (client) => {
        const readInside = readOn(client);
        const found = await list(readInside, projectId, query);
        return found && (await use({ ...found, total: found.total ?? 0 }, readInChunks(readInside, projectId, found)));
      });
    },

    async findBlog(projectId, slug) {
      const found = readRows(await read<ResultRow>(FIND_BLOG, projectId, slug));
      if (found === null) return null;
      const [blog] = found.blogs;
      return { ...found, blog: blog === undefined ? null : toBlogWithContent(blog) };
    },

    async listRelated(projectId, slug, limit) {
      const found = readRows(await read<ResultRow>(LIST_RELATED, projectId, slug, limit));
      if (found === null) return null;
      const { version, total, blogs, movedTo } = found;
      return { version, movedTo, related: total === null ? null : { total, blogs: blogs.map(toSummary) } };
    },

    listChanges: (projectId, query) =>
      inTransaction(pool, BEGIN_SNAPSHOT, (client) => readChanges(readOn(client), projectId, query)),

    listRedirects: (projectId, page) => readRedirects(read, projectId, page),

    listSitemap: (projectId) => readSitemap(read, projectId),
  };
}

async function* readInChunks(
  read: ReadStatement,
  projectId: string,
  { blogs, contentBytes }: StatementRows,
): AsyncGenerator<BlogWithContent> {
  const isWhole = contentBytes <= WHOLE_CONTENT_BYTES;
  const size = isWhole ? blogs.length : Math.max(1, Math.floor((CHUNK_BYTES * blogs.length) / contentBytes));
  for (let start = 0; start < blogs.length; start += size) {
    const chunk = blogs.slice(start, start + size);
    if (isWhole) {
      yield* chunk.map(toBlogWithContent);
      continue;
    }
    const ids = chunk.map(({ id }) => id);
    const rows = await read<{ id: string; segments: string }>(CONTENTS_BY_ID, projectId, ids);
    const contents = new Map(rows.map(({ id, segments }) => [id, segments]));
    for (const row of chunk) yield withContent(row, contents.get(row.id) ?? '[]');
  }
}

interface KeyRow {
  readonly key_hash: string;
  readonly project_id: string;
  readonly account_id: string;
  readonly version: string;
}

interface AccountRow {
  readonly project_id: string;
  readonly account_id: string;
}
