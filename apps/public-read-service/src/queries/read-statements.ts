import {
  CONTENT,
  IS_INDEXED,
  isInLanguage,
  movedTo,
  NEWEST_FIRST,
  rowsOf,
  type Statement,
  SUMMARY,
} from './row-statements.ts';

/**
 * What decides how a list is read: its filters, in the order of their parameters, which come after project, limit and
 * offset; whether many are skipped, whose rows are then not looked at; and whether contents and translations are read.
 * Each combination is a statement of its own.
 */
const SHAPE = [
  'category',
  'tag',
  'author',
  'search',
  'language',
  'indexed',
  'deep',
  'content',
  'translations',
] as const;
export type ListShape = Readonly<Record<(typeof SHAPE)[number], boolean>>;

/** From here on, skipping through the index alone is faster than through the rows. */
export const DEEP_OFFSET = 500;

/** Finds the projects of keys by the hashes $1. */
export const FIND_PROJECTS: Statement = {
  name: 'find_projects',
  text: `
    SELECT public_key.key_hash, project.id::text AS project_id, project.version::text,
      coalesce(project.account_id, project.id)::text AS account_id, project.suspended
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
export const FIND_BLOG: Statement = { name: 'find_blog', text: findBlogText(false) };
/** The same with its translations. */
export const FIND_BLOG_TRANSLATIONS: Statement = { name: 'find_blog_translations', text: findBlogText(true) };

function findBlogText(translations: boolean): string {
  return `
    WITH found AS MATERIALIZED (
      SELECT 1::bigint AS position, ${CONTENT} FROM published_blog
      WHERE project_id = $1 AND slug = $2 ORDER BY updated_at DESC, id DESC LIMIT 1
    )
    ${rowsOf({ content: true, total: 'NULL', translations, movedTo: movedTo('found') })}`;
}

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
      movedTo: movedTo('origin'),
    })}`,
};

/** The contents $2 of the project $1, by ids, with its version. */
export const CONTENTS_BY_ID: Statement = {
  name: 'contents_by_id',
  text: `
    SELECT wanted.id::text, blog.segments, (SELECT version::text FROM project WHERE id = $1)
    FROM unnest($2::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT segments FROM published_blog WHERE id = wanted.id AND project_id = $1 OFFSET 0
    ) AS blog`,
};

/** Lists blogs of the project $1: $2 of them after the first $3, then a parameter for each filter. */
export function listStatement(shape: ListShape): Statement {
  return { name: ['list', ...SHAPE.filter((part) => shape[part])].join('_'), text: listText(shape) };
}

function listText(shape: ListShape): string {
  const { category, tag, author, search, language, indexed, deep, content, translations } = shape;
  const columns = content ? CONTENT : SUMMARY;
  const filters = [
    category && ((parameter: string) => `categories @> ARRAY[${parameter}::text]`),
    tag && ((parameter: string) => `tags @> ARRAY[${parameter}::text]`),
    // An author by any of their slugs: posts may name each.
    author && ((parameter: string) => `extra -> 'authors' ?| ${slugsOfAuthor(parameter)}`),
    search && ((parameter: string) => `search @@ ${parameter}::tsquery`),
    language && isInLanguage,
    // Without a parameter, so it comes last.
    indexed && (() => IS_INDEXED),
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
    ${rowsOf({ content, total: '(SELECT count(*) FROM matching)', translations, isSized: content })}`;
  }
  const found = deep
    ? byId(ofProject)
    : `found AS MATERIALIZED (${numbered} FROM (SELECT ${columns} ${ofProject} ${window}) AS newest)`;
  return `
    WITH ${found}${content ? SIZED : ''}
    ${rowsOf({ content, total: `(SELECT count(*) ${ofProject})`, translations, isSized: content })}`;
}

/** How many of the texts in a column are in the same column of `origin` too. */
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

/** All slugs of the author of the project $1 who has this one; none without such an author. */
const slugsOfAuthor = (slug: string) => `ARRAY(
      SELECT jsonb_array_elements_text(author -> 'former_slugs' || jsonb_build_array(author -> 'slug'))
      FROM project, jsonb_array_elements(project.authors) AS author
      WHERE project.id = $1 AND (author ->> 'slug' = ${slug}::text OR author -> 'former_slugs' ? ${slug}::text)
    )`;
