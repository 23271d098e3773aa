import { MAX_TRANSLATIONS } from '@blog-content/payload-schemas';
import type { BlogRow, ProjectOfRead, ProjectRow, ResultRow, TargetRow } from './read-rows.ts';

/** A statement that is prepared once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Carries a statement out; its rows have texts. */
export type ReadStatement = <Row extends object>(statement: Statement, ...values: unknown[]) => Promise<readonly Row[]>;

/*
 * Every statement gives rows of three kinds, with the same columns: blogs, the project, and link targets. So one
 * statement, and one state of the database, has everything without making JSON of it.
 *
 * Each statement fixes its own plan, no matter what the planner estimates of a table: through the project's index in
 * the order of publication, and from ids to rows one by one (`OFFSET 0` keeps a LATERAL from becoming a join that reads
 * the whole table). So one plan is right for projects of all sizes.
 */

export const SUMMARY = `
  id, slug, title, excerpt, meta_title, meta_description, featured_image_url, categories, tags, extra, published_at`;
export const CONTENT = `${SUMMARY}, updated_at, segments, link_slugs, link_bindings`;
/** Of a blog in the language of the parameter. */
export const isInLanguage = (parameter: string): string => `extra ->> 'language' = ${parameter}::text`;
/** Of a blog that search engines may show. */
export const IS_INDEXED = `extra ->> 'noindex' IS DISTINCT FROM 'true'`;
export const NEWEST_FIRST = 'published_at DESC, id DESC';
/**
 * Different slugs that one answer resolves; an answer of the largest posts may name more than any project has posts.
 */
const MAX_TARGETS = 50_000;

/**
 * What a list's contents take at most in the database, in bytes, to be read with it; beyond that they are read in
 * turns.
 */
export const WHOLE_CONTENT_BYTES = 2 * 1_048_576;

type Column = keyof BlogRow | keyof ProjectRow | keyof TargetRow;

/**
 * The columns of all kinds of rows. The driver goes through all of them for each row, and objects of more than
 * fourteen properties take V8 half as long again to make: these are fourteen. Who adds one compares
 * `npm run bench -- read --only miss` before and after it, with the floors in docs/performance.md.
 */
const COLUMNS = Object.keys({
  json: true,
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

/** The slug of the published blog of the project $1 that had the slug $2 before, where nothing is `found`. */
export function movedTo(found: string): string {
  return `CASE WHEN NOT EXISTS (SELECT FROM ${found}) THEN (${publishedUnderAlias('slug', '$2')}) END`;
}

/** These columns of the published blog of the project $1 that has the alias, if the condition holds. */
function publishedUnderAlias(columns: string, alias: string, condition = 'true'): string {
  return `
      SELECT ${columns} FROM blog_alias CROSS JOIN LATERAL (
        SELECT slug, title, updated_at, id FROM published_blog
        WHERE id = blog_alias.blog_id AND project_id = $1 OFFSET 0
      ) AS target
      WHERE ${condition} AND project_id = $1 AND alias = ${alias} ORDER BY updated_at DESC, id DESC LIMIT 1`;
}

/** The beginning of a SELECT that gives these columns a value, and null to all others. */
function selectRow<Row extends ResultRow>(
  columns: readonly Column[],
  values: { readonly [Name in keyof Row]-?: Row[Name] extends null ? null : string },
): string {
  const expressions: Partial<Record<Column, string | null>> = values;
  return `SELECT ${columns.map((column) => `${expressions[column] ?? 'NULL'} AS ${column}`).join(', ')}`;
}

/** The slugs of the published posts that the data of a blog refers to, by their ids. Null where there are none. */
const SLUGS_OF_DATA = `
  CASE WHEN found.extra ? 'data' THEN (
    SELECT jsonb_object_agg(post.id, post.slug) FROM jsonb_each(found.extra -> 'data') AS field
    CROSS JOIN LATERAL (
      SELECT id::text, slug FROM published_blog WHERE project_id = $1
        -- Other values may have such a key with anything in it.
        AND id = CASE WHEN field.value ->> 'post_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          THEN (field.value ->> 'post_id')::uuid END OFFSET 0
    ) AS post)
  END`;

/** What {@link BlogRow} has as JSON: all in one, so that a row stays at fourteen columns. Null where all is empty. */
const blogJson = (bindings: string, translations: string): string =>
  `CASE WHEN extra <> '{}' OR ${bindings} IS NOT NULL
    THEN jsonb_build_array(${bindings}, extra, ${SLUGS_OF_DATA}, ${translations})::text END`;

/**
 * The blogs of the project $1 that have the translation key of the one `found`, by language. Of two in one language,
 * as there are between two events, the newer. So blogs with one key have one answer.
 */
const TRANSLATIONS = `(
      SELECT jsonb_agg(jsonb_build_array(id, language, slug, title) ORDER BY language COLLATE "C")
      FROM (
        SELECT DISTINCT ON (extra ->> 'language' COLLATE "C") id, extra ->> 'language' AS language, slug, title
        FROM published_blog
        WHERE project_id = $1 AND extra ->> 'translation_key' = found.extra ->> 'translation_key'
          AND extra ->> 'language' IS NOT NULL
        ORDER BY extra ->> 'language' COLLATE "C", updated_at DESC, id DESC LIMIT ${MAX_TRANSLATIONS}
      ) AS sibling
    )`;

/**
 * The rows of `found`, of the project $1, and of the link targets when content is read. Where it is `sized`, the
 * project's row has the size of all contents, and there are none when that is more than {@link WHOLE_CONTENT_BYTES}.
 */
export function rowsOf({
  content,
  total,
  translations = false,
  isSized = false,
  movedTo = 'NULL',
}: {
  readonly content: boolean;
  readonly total: string;
  readonly translations?: boolean;
  readonly isSized?: boolean;
  readonly movedTo?: string;
}): string {
  const [bytes, segments] = isSized
    ? ['(SELECT bytes FROM sized)', `CASE WHEN (SELECT bytes FROM sized) <= ${WHOLE_CONTENT_BYTES} THEN segments END`]
    : ['NULL', 'segments'];
  const columns = content ? COLUMNS : COLUMNS.filter((column) => !OF_CONTENT.has(column));
  const blog = selectRow<BlogRow>(columns, {
    json: blogJson(content ? 'link_bindings' : 'NULL::jsonb', translations ? TRANSLATIONS : 'NULL'),
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
    moved_to: movedTo,
    // Read only where a post names some: they take up to 300 kB.
    authors: `CASE WHEN EXISTS (SELECT FROM found WHERE extra ? 'authors') THEN authors END`,
  };
  const properties = Object.entries(ofProject).map(([name, value]) => `'${name}', ${value}`);
  const project = selectRow<ProjectRow>(columns, {
    json: `json_build_object(${properties.join(', ')})::text`,
    position: null,
    slug: null,
  });
  const target = selectRow<TargetRow>(columns, {
    json: `CASE WHEN translation.slug IS NOT NULL
      THEN json_build_array(named.language, translation.key, translation.slug, translation.title)::text END`,
    position: null,
    id: 'named.bound::text',
    slug: 'named.slug',
    title: 'coalesce(own.title, literal.title, moved.title)',
    excerpt: 'nullif(coalesce(own.slug, literal.slug, moved.slug), named.slug)',
  });
  const rows = `
    ${blog} FROM found UNION ALL
    ${project} FROM project WHERE id = $1`;
  if (!content) return rows;
  return `${rows} UNION ALL
    ${target}
    FROM (
      SELECT DISTINCT named.slug, (link_bindings ->> named.slug)::uuid AS bound, language
      FROM (SELECT link_slugs, link_bindings, extra ->> 'language' AS language FROM found OFFSET 0) AS linking,
        unnest(link_slugs) AS named (slug)
      ORDER BY slug, bound, language LIMIT ${MAX_TARGETS}
    ) AS named ${TARGETS}
    WHERE coalesce(own.slug, literal.slug, moved.slug) IS NOT NULL`;
}

/**
 * The published blog that a placeholder leads to: the one that it is bound to, else the blog that has the slug that
 * this one had last; without a binding the blog that has the named slug, else the one that had it before. And its
 * translation in the language of the linking blog, where it is in another one. What is not needed is not looked for: a
 * condition on the earlier parts alone is checked first.
 */
const TARGETS = `
    LEFT JOIN LATERAL (
      SELECT id, slug, title FROM published_blog WHERE id = named.bound AND project_id = $1 OFFSET 0
    ) AS own ON true
    LEFT JOIN LATERAL (
      SELECT id, slug, title FROM published_blog
      WHERE own.slug IS NULL AND project_id = $1 AND slug = CASE WHEN named.bound IS NULL THEN named.slug
        ELSE coalesce((SELECT slug FROM blog_position WHERE blog_id = named.bound AND project_id = $1), named.slug) END
      ORDER BY updated_at DESC, id DESC LIMIT 1
    ) AS literal ON true
    LEFT JOIN LATERAL (
      ${publishedUnderAlias('id, slug, title', 'named.slug', 'literal.slug IS NULL AND named.bound IS NULL')}
    ) AS moved ON true
    LEFT JOIN LATERAL (
      SELECT target.key, sibling.slug, sibling.title
      FROM (
        SELECT extra ->> 'translation_key' AS key, extra ->> 'language' AS language FROM published_blog
        WHERE named.language IS NOT NULL AND id = coalesce(own.id, literal.id, moved.id) OFFSET 0
      ) AS target
      CROSS JOIN LATERAL (
        SELECT slug, title FROM published_blog
        WHERE target.language IS DISTINCT FROM named.language AND project_id = $1
          AND extra ->> 'translation_key' = target.key AND ${isInLanguage('named.language')}
        ORDER BY updated_at DESC, id DESC LIMIT 1
      ) AS sibling
    ) AS translation ON true`;

/** A time in ISO 8601 under any session settings, in quotes, without a zone: what `toIsoTime` reads. */
export function utc(column: string): string {
  return `to_json(${column} AT TIME ZONE 'UTC')::text`;
}
