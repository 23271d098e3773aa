import { mapInSlices } from '@blog-content/concurrency';
import { linkCharacters } from '@blog-content/link-resolver';
import { inTransaction } from '@blog-content/postgres';
import type { Pool } from 'pg';
import type { ChangesQuery, ListQuery } from '../request/parse-list-query.ts';
import {
  linksOf,
  type BlogSummary,
  type BlogWithContent,
  type LinkContext,
  type ProjectVersion,
} from './published-blog.ts';
import { readAuthors, readRedirects, readSitemap, type RedirectQuery, type SitemapFilter } from './read-addresses.ts';
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
  FIND_BLOG_TRANSLATIONS,
  FIND_PROJECTS,
  LIST_RELATED,
  listStatement,
  type ListShape,
} from './read-statements.ts';
import { type ReadStatement, type Statement, WHOLE_CONTENT_BYTES } from './row-statements.ts';

export interface BlogPage extends LinkContext {
  readonly version: string;
  /** The number of published blogs that match, over all pages. */
  readonly total: number;
  /** The project's name; null until its own event has come. */
  readonly name: string | null;
  /** What the contents take in the database, in bytes, and about what their links add. */
  readonly contentBytes: number;
  /**
   * The contents are too large to be read with the page, or looking for openers in them takes as long: `openPage`
   * reads it.
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

/** A page that is read while it is sent. */
export interface OpenPage {
  readonly page: PageFrame;
  /** Throws when the project changes after the snapshot was given up. */
  readonly blogs: AsyncIterable<BlogWithContent>;
}

export type PublicReadStore = ReturnType<typeof createPublicReadStore>;

/**
 * One snapshot for several statements. It is not taken before the table is locked: a rebuild may replace it while this
 * waits, and what that transaction has written would not be in an older one.
 */
const BEGIN_SNAPSHOT = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; LOCK TABLE project IN ACCESS SHARE MODE`;

/** About how much of the contents of a large page is read in one piece. */
const BATCH_BYTES = 524_288;
/**
 * How long a page keeps its snapshot, and a connection with it: most readers have all of the page by then. For a slower
 * one the rest is read without, as long as the project does not change.
 */
const MAX_SNAPSHOT_MS = 2_000;

/**
 * What the public API reads. Each method sees one state of the database: never half of a publish, and always content
 * that belongs to the version it returns. Those of a project resolve to null when the project is gone.
 *
 * Statements are prepared on each connection. Their values come as
 * text and are parsed here: what `pg` and Prisma do with them costs more than finding them.
 */
export function createPublicReadStore(pool: Pick<Pool, 'query' | 'connect'>, pagePool: Pick<Pool, 'connect'>) {
  const readOn =
    (connection: Pick<Pool, 'query'>): ReadStatement =>
    async <Row extends object>(statement: Statement, ...values: unknown[]) =>
      (await connection.query<Row>({ ...statement, ...asTexts, values })).rows;
  const read = readOn(pool);
  /** By shape, as they were first read: putting one together takes as long as reading a post. */
  const lists = new Map<string, Statement>();

  async function list(read: ReadStatement, projectId: string, query: ListQuery): Promise<StatementRows | null> {
    const { limit, offset, category, includeContent, tag, author, search, language, isIndexed = false } = query;
    const shape: ListShape = {
      category: category !== null,
      tag: tag !== undefined,
      author: author !== undefined,
      search: search !== undefined,
      language: language !== undefined,
      indexed: isIndexed,
      deep: offset >= DEEP_OFFSET,
      content: includeContent,
      translations: query.fields?.includes('translations') ?? false,
    };
    const name = JSON.stringify(shape);
    let statement = lists.get(name);
    if (statement === undefined) lists.set(name, (statement = listStatement(shape)));
    const filters = [category ?? undefined, tag, author, search, language].filter((filter) => filter !== undefined);
    return readRows(await read<ResultRow>(statement, projectId, limit, offset, ...filters));
  }

  return {
    /** The projects whose keys have these SHA-256 (lowercase hexadecimal), by hash. */
    async findProjects(keyHashes: readonly string[]): Promise<ReadonlyMap<string, ProjectVersion>> {
      const rows = await read<KeyRow>(FIND_PROJECTS, keyHashes);
      return new Map(
        rows.map((row) => [
          row.key_hash,
          {
            projectId: row.project_id,
            accountId: row.account_id,
            version: row.version,
            isSuspended: row.suspended === 'all',
          },
        ]),
      );
    },

    /** The accounts of these projects, by project; of none that is deleted or not known. */
    async findAccounts(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await read<AccountRow>(FIND_ACCOUNTS, projectIds);
      return new Map(rows.map((row) => [row.project_id, row.account_id]));
    },

    /** A page in the order of `published_at`, then `id`, both descending. */
    async listBlogs(projectId: string, query: ListQuery): Promise<BlogPage | null> {
      const found = await list(read, projectId, query);
      if (found === null) return null;
      const page = { ...found, total: found.total ?? 0, isLarge: found.contentBytes > WHOLE_CONTENT_BYTES };
      if (!query.includeContent) return { ...page, blogs: found.blogs.map(toSummary) };
      if (page.isLarge) return { ...page, blogs: [] };
      const blogs = await mapInSlices(found.blogs, toBlogWithContent);
      // Links may make a hundred times as much of a small post.
      const links = blogs.map((blog) => linkCharacters(blog.segments, linksOf(blog, found)));
      const contentBytes = links.reduce((sum, characters) => sum + characters, found.contentBytes);
      const isLarge = contentBytes > WHOLE_CONTENT_BYTES;
      return { ...page, contentBytes, isLarge, blogs: isLarge ? [] : blogs };
    },

    /**
     * Opens a page whose contents are too large for memory: its blogs are read a few at a time. Null when the project
     * is gone.
     *
     * @param onReleased called when the page needs its connection no more
     */
    async openPage(projectId: string, query: ListQuery, onReleased: () => void): Promise<OpenPage | null> {
      const client = await pagePool.connect();
      let snapshot: ReadStatement | null = readOn(client);
      const release = async (): Promise<void> => {
        if (snapshot === null) return;
        snapshot = null;
        clearTimeout(deadline);
        const broken = await client.query('ROLLBACK').then(
          () => undefined,
          (error: Error) => error,
        );
        client.release(broken);
        onReleased();
      };
      const deadline = setTimeout(() => void release(), MAX_SNAPSHOT_MS);
      let found: StatementRows | null = null;
      try {
        await client.query(BEGIN_SNAPSHOT);
        found = await list(readOn(client), projectId, query);
      } finally {
        if (found === null) await release();
      }
      if (found === null) return null;
      const readNow: ReadStatement = (statement, ...values) => (snapshot ?? read)(statement, ...values);
      return { page: { ...found, total: found.total ?? 0 }, blogs: readInBatches(readNow, projectId, found, release) };
    },

    /** @param withTranslations whether to read them too */
    async findBlog(projectId: string, slug: string, withTranslations = false): Promise<BlogResult | null> {
      const statement = withTranslations ? FIND_BLOG_TRANSLATIONS : FIND_BLOG;
      const found = readRows(await read<ResultRow>(statement, projectId, slug));
      if (found === null) return null;
      const [blog] = found.blogs;
      return { ...found, blog: blog === undefined ? null : toBlogWithContent(blog) };
    },

    /** Other blogs that share tags or categories with it: those that share most first, then the newest. */
    async listRelated(projectId: string, slug: string, limit: number): Promise<RelatedPage | null> {
      const found = readRows(await read<ResultRow>(LIST_RELATED, projectId, slug, limit));
      if (found === null) return null;
      const { version, total, blogs, movedTo } = found;
      return { version, movedTo, related: total === null ? null : { total, blogs: blogs.map(toSummary) } };
    },

    /** What has changed since a position (ADR 16). */
    listChanges: (projectId: string, query: ChangesQuery): Promise<ChangePage | PositionGone | null> =>
      inTransaction(pool, BEGIN_SNAPSHOT, (client) => readChanges(readOn(client), projectId, query)),

    listRedirects: (projectId: string, page: RedirectQuery) => readRedirects(read, projectId, page),

    listSitemap: (projectId: string, which: SitemapFilter) => readSitemap(read, projectId, which),

    listAuthors: (projectId: string) => readAuthors(read, projectId),
  };
}

async function* readInBatches(
  read: ReadStatement,
  projectId: string,
  { blogs, contentBytes, version }: StatementRows,
  release: () => Promise<void>,
): AsyncGenerator<BlogWithContent> {
  try {
    // Contents that came with the page are large by what their links add.
    if (contentBytes <= WHOLE_CONTENT_BYTES) yield* blogs.map(toBlogWithContent);
    else {
      const size = Math.max(1, Math.floor((BATCH_BYTES * blogs.length) / contentBytes));
      for (let start = 0; start < blogs.length; start += size) {
        const batch = blogs.slice(start, start + size);
        const ids = batch.map(({ id }) => id);
        const rows = await read<ContentRow>(CONTENTS_BY_ID, projectId, ids);
        if (rows.length < batch.length || rows.some((row) => row.version !== version)) {
          throw new Error('The project changed while a slow client read a page of it.');
        }
        const contents = new Map(rows.map(({ id, segments }) => [id, segments]));
        for (const row of batch) yield withContent(row, contents.get(row.id) ?? '[]');
      }
    }
  } finally {
    await release();
  }
}

interface ContentRow {
  readonly id: string;
  readonly segments: string;
  readonly version: string;
}

interface KeyRow {
  readonly key_hash: string;
  readonly project_id: string;
  readonly account_id: string;
  readonly version: string;
  readonly suspended: string | null;
}

interface AccountRow {
  readonly project_id: string;
  readonly account_id: string;
}
