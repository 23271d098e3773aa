import { parseSegments, type Segment } from '@blog-content/link-resolver';
import { SITEMAP_MAX_ENTRIES } from '@blog-content/payload-schemas';
import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';
import type { ListQuery } from './parse-list-query.ts';

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
  readonly publishedAt: Date;
  readonly updatedAt: Date;
}

/** A published blog with its content, cut at its link placeholders. */
export interface BlogWithContent extends BlogSummary {
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
  /** With segments exactly when the query asks for content. */
  readonly blogs: readonly (BlogSummary & { readonly segments?: readonly Segment[] })[];
}

export interface FoundBlog extends LinkContext {
  readonly version: string;
  /** Null when no published blog of the project has the slug. */
  readonly blog: BlogWithContent | null;
}

export interface Sitemap {
  readonly version: string;
  /** Newest first, at most 5,000. */
  readonly entries: readonly Pick<BlogSummary, 'slug' | 'publishedAt' | 'updatedAt'>[];
}

/**
 * What the public API reads. Each method is one statement, so it sees one state of the database: never half of a
 * publish, and always content that belongs to the version it returns. Those of a project resolve to null when the
 * project is gone.
 */
export interface PublicReadStore {
  /** The project whose key has this SHA-256 (lowercase hexadecimal), or null. */
  findProject(keyHash: string): Promise<ProjectVersion | null>;
  /** A page in the order of `published_at`, then `id`, both descending. */
  listBlogs(projectId: string, query: ListQuery): Promise<BlogPage | null>;
  findBlog(projectId: string, slug: string): Promise<FoundBlog | null>;
  listSitemap(projectId: string): Promise<Sitemap | null>;
}

/** Whether the database answers; rejects when it does not. */
export interface DatabaseCheck {
  ping(): Promise<void>;
}

interface BlogRow {
  id: string;
  slug: string;
  title: string;
  excerpt: string;
  meta_title: string | null;
  meta_description: string | null;
  featured_image_url: string | null;
  categories: string[];
  tags: string[];
  published_at: string;
  updated_at: string;
  segments?: unknown;
}

interface LinkRows {
  site_url: string | null;
  targets: { slug: string; title: string }[];
}

const summary =
  Prisma.raw(`id, slug, title, excerpt, meta_title, meta_description, featured_image_url, categories, tags,
  published_at, updated_at`);
const newestFirst = Prisma.raw('published_at DESC, id DESC');

/** Published blogs of the project that placeholders in `found` name; of two with one slug the newer counts. */
const targetsOf = (projectId: string): Prisma.Sql => Prisma.sql`
  SELECT coalesce(json_agg(target), '[]') FROM (
    SELECT DISTINCT ON (slug) slug, title FROM published_blog
    WHERE project_id = ${projectId}::uuid AND slug IN (SELECT unnest(link_slugs) FROM found)
    ORDER BY slug, updated_at DESC, id DESC
  ) AS target`;

/** The public API's store on this service's database. */
export function createPublicReadStore(database: Pick<Database, '$queryRaw'>): PublicReadStore & DatabaseCheck {
  return {
    async ping() {
      await database.$queryRaw`SELECT 1`;
    },

    async findProject(keyHash) {
      const [row] = await database.$queryRaw<ProjectVersion[]>`
        SELECT project.id::text AS "projectId", project.version::text AS version
        FROM public_key JOIN project ON project.id = public_key.project_id
        WHERE public_key.key_hash = ${keyHash} AND project.deleted_at IS NULL`;
      return row ?? null;
    },

    async listBlogs(projectId, { limit, offset, category, includeContent }) {
      const matching = Prisma.sql`project_id = ${projectId}::uuid
        ${category === null ? Prisma.empty : Prisma.sql`AND categories @> ARRAY[${category}::text]`}`;
      const content = Prisma.raw(includeContent ? ', segments, link_slugs' : '');
      const targets = includeContent ? targetsOf(projectId) : Prisma.sql`SELECT '[]'::json`;
      const [row] = await database.$queryRaw<(LinkRows & { version: string; total: number; blogs: BlogRow[] })[]>`
        WITH found AS (
          SELECT ${summary} ${content} FROM published_blog
          WHERE ${matching} ORDER BY ${newestFirst} LIMIT ${limit}::bigint OFFSET ${offset}::bigint
        )
        SELECT version::text AS version, site_url,
          (SELECT count(*)::int FROM published_blog WHERE ${matching}) AS total,
          (SELECT coalesce(json_agg(found ORDER BY ${newestFirst}), '[]') FROM found) AS blogs,
          (${targets}) AS targets
        FROM project WHERE id = ${projectId}::uuid`;
      if (!row) return null;
      const blogs = row.blogs.map((blog) => (includeContent ? toBlogWithContent(blog) : toSummary(blog)));
      return { version: row.version, total: row.total, blogs, ...toLinkContext(row) };
    },

    async findBlog(projectId, slug) {
      const [row] = await database.$queryRaw<(LinkRows & { version: string; blog: BlogRow | null })[]>`
        WITH found AS (
          SELECT ${summary}, segments, link_slugs FROM published_blog
          WHERE project_id = ${projectId}::uuid AND slug = ${slug} ORDER BY updated_at DESC, id DESC LIMIT 1
        )
        SELECT version::text AS version, site_url,
          (SELECT to_json(found) FROM found) AS blog,
          (${targetsOf(projectId)}) AS targets
        FROM project WHERE id = ${projectId}::uuid`;
      if (!row) return null;
      return { version: row.version, blog: row.blog && toBlogWithContent(row.blog), ...toLinkContext(row) };
    },

    async listSitemap(projectId) {
      const [row] = await database.$queryRaw<{ version: string; entries: BlogRow[] }[]>`
        WITH found AS (
          SELECT id, slug, published_at, updated_at FROM published_blog
          WHERE project_id = ${projectId}::uuid ORDER BY ${newestFirst} LIMIT ${SITEMAP_MAX_ENTRIES}
        )
        SELECT version::text AS version,
          (SELECT coalesce(json_agg(found ORDER BY ${newestFirst}), '[]') FROM found) AS entries
        FROM project WHERE id = ${projectId}::uuid`;
      if (!row) return null;
      const entries = row.entries.map(({ slug, published_at, updated_at }) => ({
        slug,
        publishedAt: new Date(published_at),
        updatedAt: new Date(updated_at),
      }));
      return { version: row.version, entries };
    },
  };
}

function toSummary(row: BlogRow): BlogSummary {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt,
    metaTitle: row.meta_title,
    metaDescription: row.meta_description,
    featuredImageUrl: row.featured_image_url,
    categories: row.categories,
    tags: row.tags,
    publishedAt: new Date(row.published_at),
    updatedAt: new Date(row.updated_at),
  };
}

function toBlogWithContent(row: BlogRow): BlogWithContent {
  return { ...toSummary(row), segments: parseSegments(row.segments) };
}

function toLinkContext({ site_url, targets }: LinkRows): LinkContext {
  return { siteUrl: site_url, targets: new Map(targets.map(({ slug, title }) => [slug, { title }])) };
}
