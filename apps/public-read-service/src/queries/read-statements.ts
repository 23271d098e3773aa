import { MAX_SITEMAP_ENTRIES } from '@blog-content/payload-schemas';
import type { BlogRow, ProjectOfRead, ProjectRow, ResultRow, TargetRow } from './read-rows.ts';

/** A statement that is prepared once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Carries a statement out; its rows have texts. */
export type ReadStatement = <Row extends object>(statement: Statement, ...values: unknown[]) => Promise<readonly Row[]>;

/**
 * What decides how a list is read: its filters, in the order of their parameters, which come after project, limit and
 * offset; whether many are skipped, whose rows are then not looked at; and whether contents are read. Each combination
 * is a statement of its own.
 */
const SHAPE = ['category', 'tag', 'search', 'deep', 'content'] as const;
export type ListShape = Readonly<Record<(typeof SHAPE)[number], boolean>>;

/*
 * Every statement gives rows of three kinds, with the same columns: blogs, the project, and link targets. So one
 * statement, and one state of the database, has everything without making JSON of it.
 *
 * Each statement fixes its own plan, whatever the planner believes of a table: through the project's index in the order
 * of publication, and from ids to rows one by one (`OFFSET 0` keeps a LATERAL from becoming a join that reads the whole
 * table). So one plan is right for projects of all sizes.
 */

export const SUMMARY = `
  id, slug, title, excerpt, meta_title, meta_description, featured_image_url, categories, tags, published_at`;
export const CONTENT = `${SUMMARY}, updated_at, segments, link_slugs`;
const NEWEST_FIRST = 'published_at DESC, id DESC';
/**
 * Different slugs that one answer resolves; an answer of the largest posts may name more than any project has posts.
 */
const MAX_TARGETS = 50_000;

/**
 * What a list's contents take at most in the database, in bytes, to be read with it; beyond that they are read in
 * turns.
 */
export const WHOLE_CONTENT_BYTES = 2 * 1_048_576;

/** From here on, skipping through the index alone is faster than through the rows. */
export const DEEP_OFFSET = 500;

type Column = keyof BlogRow | keyof ProjectRow | keyof TargetRow;

/**
 * The columns of all kinds of rows. The driver goes through all of them for each row, and objects of more than
 * fourteen properties take V8 half as long again to make: these are fourteen. Who adds one compares
 * `npm run bench -- read --only miss` before and after it, with the floors in docs/performance.md.
 */
const COLUMNS = Object.keys({
  project: true,
  position: true,
  id: true,
  slug: true,
  title: true,
  excerpt: true,
  meta_title: true,
  meta_description: true,
  featured_image_url: true,
  categories: true,
  tags: true,
  published_at: true,
  updated_at: true,
  segments: true,
} satisfies Record<Column, true>) as Column[];
const OF_CONTENT: ReadonlySet<Column> = new Set(['updated_at', 'segments']);

/** Finds the projects of keys by the hashes $1. */
export const FIND_PROJECTS: Statement = {
  name: 'find_projects',
  text: `
    SELECT public_key.key_hash, project.id::text AS project_id, project.version::text,
      coalesce(project.account_id, project.id)::text AS account_id
    FROM public_key JOIN project ON project.id = public_key.project_id
    WHERE public_key.key_hash = ANY ($1::text[]) AND project.deleted_at IS NULL`,
};

/** Finds the accounts of the projects $1. */
export const FIND_ACCOUNTS: Statement = {
  name: 'find_accounts',
  text: `
    SELECT id::text AS project_id, coalesce(account_id, id)::text AS account_id
    FROM project WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL`,
};

/** Finds the blog of the project $1 that has the slug $2; of two with one slug the newer. */
export const FIND_BLOG: Statement = {
  name: 'find_blog',
  text: `
    WITH found AS MATERIALIZED (
      SELECT 1::bigint AS position, ${CONTENT} FROM published_blog
      WHERE project_id = $1 AND slug = $2 ORDER BY updated_at DESC, id DESC LIMIT 1
    )
    ${rowsOf({ content: true, total: 'NULL' })}`,
};

/**
 * Lists what is related to the blog of project $1 with slug $2, at most $3. The total is null when there is no such
 * blog.
 */
export const LIST_RELATED: Statement = {
  name: 'list_related',
  text: `
    WITH origin AS MATERIALIZED (
      SELECT id, categories, tags FROM published_blog
      WHERE project_id = $1 AND slug = $2 ORDER BY updated_at DESC, id DESC LIMIT 1
    ), matching AS MATERIALIZED (
      SELECT id, published_at,
        ${sharedWithOrigin('tags')} + ${sharedWithOrigin('categories')} AS shared
      FROM published_blog
      WHERE (SELECT id FROM origin) IS NOT NULL AND project_id = $1 AND id <> (SELECT id FROM origin)
        AND (tags && (SELECT tags FROM origin) OR categories && (SELECT categories FROM origin))
    ), page AS (
      SELECT id, row_number() OVER (ORDER BY shared DESC, ${NEWEST_FIRST}) AS position
      FROM matching ORDER BY shared DESC, ${NEWEST_FIRST} LIMIT $3::bigint
    ), found AS (SELECT page.position, blog.* FROM page ${rowsById(SUMMARY)})
    ${rowsOf({
      content: false,
      total: 'CASE WHEN EXISTS (SELECT FROM origin) THEN (SELECT count(*) FROM matching) END',
    })}`,
};

/**
 * The newest blogs of the project $1 as one text, `slug published_at updated_at` with commas between: thousands of rows
 * take several times longer. No slug has a blank or a comma in it.
 */
export const LIST_SITEMAP: Statement = {
  name: 'list_sitemap',
  text: `
    SELECT version::text, site_url, (
      SELECT string_agg(slug || ' ' || ${utc('published_at')} || ' ' || ${utc('updated_at')}, ','
        ORDER BY ${NEWEST_FIRST})
      FROM (
        SELECT id, slug, published_at, updated_at FROM published_blog
        WHERE project_id = $1 ORDER BY ${NEWEST_FIRST} LIMIT ${MAX_SITEMAP_ENTRIES}
      ) AS newest
    ) AS entries
    FROM project WHERE id = $1`,
};

/** The contents $2 of the project $1, by ids. */
export const CONTENTS_BY_ID: Statement = {
  name: 'contents_by_id',
  text: `
    SELECT wanted.id::text, blog.segments FROM unnest($2::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT segments FROM published_blog WHERE id = wanted.id AND project_id = $1 OFFSET 0
    ) AS blog`,
};

/** Lists blogs of the project $1: $2 of them after the first $3, then a parameter for each filter. */
export function listStatement(shape: ListShape): Statement {
  return { name: listName(shape), text: listText(shape) };
}

/** The name of such a statement. */
export function listName(shape: ListShape): string {
  return ['list', ...SHAPE.filter((part) => shape[part])].join('_');
}

function listText({ category, tag, search, deep, content }: ListShape): string {
  const columns = content ? CONTENT : SUMMARY;
  const filters = [
    category && ((parameter: string) => `categories @> ARRAY[${parameter}::text]`),
    tag && ((parameter: string) => `tags @> ARRAY[${parameter}::text]`),
    search && ((parameter: string) => `search @@ ${parameter}::tsquery`),
  ]
    .filter((filter) => filter !== false)
    .map((filter, index) => `AND ${filter(`$${index + 4}`)}`);
  const isFiltered = filters.length > 0;
  const ofProject = 'FROM published_blog WHERE project_id = $1';
  const window = `ORDER BY ${NEWEST_FIRST} LIMIT $2::bigint OFFSET $3::bigint`;
  const numbered = `SELECT row_number() OVER (ORDER BY ${NEWEST_FIRST}) AS position, newest.*`;
  const page = (source: string) => `${numbered} FROM (SELECT id, published_at ${source} ${window}) AS newest`;
  const byId = (source: string) => `
    page AS (${page(source)}), found AS MATERIALIZED (SELECT page.position, blog.* FROM page ${rowsById(columns)})`;

  if (isFiltered) {
    // What matches is worked out once, for the page and for the total.
    const matching = `matching AS MATERIALIZED (SELECT id, published_at ${ofProject} ${filters.join(' ')})`;
    return `
    WITH ${matching}, ${byId('FROM matching')}${content ? SIZED : ''}
    ${rowsOf({ content, total: '(SELECT count(*) FROM matching)', isSized: content })}`;
  }
  const found = deep
    ? byId(ofProject)
    : `found AS MATERIALIZED (${numbered} FROM (SELECT ${columns} ${ofProject} ${window}) AS newest)`;
  return `
    WITH ${found}${content ? SIZED : ''}
    ${rowsOf({ content, total: `(SELECT count(*) ${ofProject})`, isSized: content })}`;
}

/** How many of the texts in a column stand in the same column of `origin` too. */
function sharedWithOrigin(column: string): string {
  return `cardinality(ARRAY(SELECT unnest(${column}) INTERSECT SELECT unnest((SELECT ${column} FROM origin))))`;
}

function rowsById(columns: string): string {
  return `CROSS JOIN LATERAL (
      SELECT ${columns} FROM published_blog WHERE published_blog.id = page.id OFFSET 0
    ) AS blog`;
}

/**
 * The size of the contents found. They are stored as they are (`STORAGE EXTERNAL`), so it is known without reading
 * them.
 */
const SIZED = `, sized AS MATERIALIZED (SELECT coalesce(sum(pg_column_size(segments)), 0) AS bytes FROM found)`;

/** The beginning of a SELECT that gives these columns a value, and null to all others. */
function selectRow<Row extends ResultRow>(
  columns: readonly Column[],
  values: { readonly [Name in keyof Row]-?: Row[Name] extends null ? null : string },
): string {
  const expressions: Partial<Record<Column, string | null>> = values;
  return `SELECT ${columns.map((column) => `${expressions[column] ?? 'NULL'} AS ${column}`).join(', ')}`;
}

/**
 * The rows of `found`, of the project $1, and of the link targets when content is read. Where it is `sized`, the
 * project's row has the size of all contents, and there are none when that is more than {@link WHOLE_CONTENT_BYTES}.
 */
export function rowsOf({
  content,
  total,
  isSized = false,
}: {
  readonly content: boolean;
  readonly total: string;
  readonly isSized?: boolean;
}): string {
  const [bytes, segments] = isSized
    ? ['(SELECT bytes FROM sized)', `CASE WHEN (SELECT bytes FROM sized) <= ${WHOLE_CONTENT_BYTES} THEN segments END`]
    : ['NULL', 'segments'];
  const columns = content ? COLUMNS : COLUMNS.filter((column) => !OF_CONTENT.has(column));
  const blog = selectRow<BlogRow>(columns, {
    project: null,
    position: 'position',
    id: 'id::text',
    slug: 'slug',
    title: 'title',
    excerpt: 'excerpt',
    meta_title: 'meta_title',
    meta_description: 'meta_description',
    featured_image_url: 'featured_image_url',
    categories: 'categories',
    tags: 'tags',
    published_at: utc('published_at'),
    updated_at: utc('updated_at'),
    segments,
  });
  const ofProject: Record<keyof ProjectOfRead, string> = {
    version: 'version::text',
    name: 'name',
    site_url: 'site_url',
    total,
    content_bytes: bytes,
  };
  const properties = Object.entries(ofProject).map(([name, value]) => `'${name}', ${value}`);
  const project = selectRow<ProjectRow>(columns, { project: `json_build_object(${properties.join(', ')})::text` });
  const target = selectRow<TargetRow>(columns, {
    project: null,
    position: null,
    slug: 'named.slug',
    title: 'target.title',
  });
  const rows = `
    ${blog} FROM found UNION ALL
    ${project} FROM project WHERE id = $1`;
  if (!content) return rows;
  return `${rows} UNION ALL
    ${target}
    FROM (SELECT DISTINCT unnest(link_slugs) AS slug FROM found ORDER BY slug LIMIT ${MAX_TARGETS}) AS named
    CROSS JOIN LATERAL (
      SELECT title FROM published_blog
      WHERE project_id = $1 AND slug = named.slug ORDER BY updated_at DESC, id DESC LIMIT 1
    ) AS target`;
}

/** A time in ISO 8601 whatever the session's settings, in quotes, without a zone: what `toIsoTime` reads. */
export function utc(column: string): string {
  return `to_json(${column} AT TIME ZONE 'UTC')::text`;
}
