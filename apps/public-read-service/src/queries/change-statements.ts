import { ANY_SLUG, CHANGE_KIND, isTurnedFor, NIL_ID, OLDEST_POSITION, turnedTarget } from './change-log-statements.ts';
import { type Statement, CONTENT, rowsOf, SUMMARY, utc } from './row-statements.ts';

/** The version of the project $1, and the one from which on its changes are known. */
export const FIND_VERSIONS: Statement = {
  name: 'find_versions',
  text: `SELECT version::text, (${OLDEST_POSITION})::text AS oldest FROM project WHERE id = $1`,
};

/** The $4 blogs of the project $1 that come next after the one that was published at $2 and has the id $3. */
export const LIST_AFTER: Statement = {
  name: 'list_after',
  text: `
    SELECT id::text, ${utc('published_at')} AS published_at FROM published_blog
    WHERE project_id = $1 AND (published_at, id) < ($2::timestamptz, $3::uuid)
    ORDER BY published_blog.published_at DESC, published_blog.id DESC LIMIT $4::bigint`,
};

/**
 * The next $6 entries of the log of the project $1 after that of version $2, kind $3, slug $4 and blog $5, and as many
 * of the changes that they represent: a slug that changed as a target represents every post that names it, or those in
 * one language.
 */
export const LIST_CHANGES: Statement = {
  name: 'list_changes',
  text: `
    WITH entries AS MATERIALIZED (
      SELECT version, kind, slug, blog_id FROM blog_change
      WHERE project_id = $1 AND (version, kind, slug, blog_id) > ($2::bigint, $3::smallint, $4::text, $5::uuid)
      ORDER BY version, kind, slug, blog_id LIMIT $6::bigint
    ), changes AS (
      SELECT entries.version, entries.kind, entries.slug, change.blog_id
      FROM entries CROSS JOIN LATERAL (
        SELECT entries.blog_id WHERE entries.kind <> ${CHANGE_KIND.linked}
        UNION ALL ${linksTo(turnedTarget('entries.slug'))}
        UNION ALL ${linksTo(`'${ANY_SLUG}'`)}
      ) AS change
      ORDER BY version, kind, slug, blog_id LIMIT $6::bigint
    )
    SELECT true AS is_entry, version::text, kind::int, slug, blog_id::text,
      row_number() OVER (ORDER BY version, kind, slug, blog_id)::int AS position FROM entries
    UNION ALL
    SELECT false, version::text, kind::int, slug, blog_id::text,
      row_number() OVER (ORDER BY version, kind, slug, blog_id)::int FROM changes`,
};

/** The blogs among $2 that the project $1 has published, with the size of their contents. */
export const SIZES_BY_ID: Statement = {
  name: 'sizes_by_id',
  text: `
    SELECT wanted.id::text, blog.bytes FROM unnest($2::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (
      SELECT pg_column_size(segments) AS bytes FROM published_blog WHERE id = wanted.id AND project_id = $1 OFFSET 0
    ) AS blog`,
};

/** The slugs of the blogs among $2 that the project $1 has published. */
export const SLUGS_BY_ID: Statement = {
  name: 'slugs_by_id',
  text: `
    SELECT wanted.id::text, blog.slug FROM unnest($2::uuid[]) AS wanted (id)
    CROSS JOIN LATERAL (SELECT slug FROM published_blog WHERE id = wanted.id AND project_id = $1 OFFSET 0) AS blog`,
};

/** The blogs $2 of the project $1, and the same with their contents. */
export const BLOGS_BY_ID: Statement = { name: 'blogs_by_id', text: blogsById({ content: false }) };
export const WHOLE_BLOGS_BY_ID: Statement = { name: 'blogs_by_id_content', text: blogsById({ content: true }) };

function blogsById({ content }: { readonly content: boolean }): string {
  return `
    WITH found AS MATERIALIZED (
      SELECT wanted.position, blog.* FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, position)
      CROSS JOIN LATERAL (
        SELECT ${content ? CONTENT : SUMMARY} FROM published_blog WHERE id = wanted.id AND project_id = $1 OFFSET 0
      ) AS blog
    )
    ${rowsOf({ content, total: 'NULL' })}`;
}

/**
 * The blogs that name a slug and that an entry of `entries` is about. If the position is among them: those after the
 * blog $5.
 */
function linksTo(slug: string): string {
  return `(
    SELECT blog_id FROM blog_link
    WHERE entries.kind = ${CHANGE_KIND.linked} AND project_id = $1 AND slug = ${slug}
      AND ${isTurnedFor('entries.slug', 'blog_link.blog_id')}
      AND blog_id > CASE WHEN (entries.version, entries.kind, entries.slug) = ($2::bigint, $3::smallint, $4::text)
        THEN $5::uuid ELSE '${NIL_ID}' END
    ORDER BY blog_link.blog_id LIMIT $6::bigint)`;
}
