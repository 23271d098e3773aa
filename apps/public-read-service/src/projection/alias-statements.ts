/*
 * Parts of a statement's WITH that keep `blog_alias`. The rows of a hidden blog stay: readers of aliases look for the
 * published blog that they belong to.
 */

/** `slugged`: the blogs whose slugs are named by the parameter, which is the JSON of `BlogSlugs[]`. */
export const sluggedBlogs = (parameter: `$${number}`): string => `
    slugged AS MATERIALIZED (
      SELECT "blogId" AS id, "projectId" AS project_id, slug, aliases
      FROM json_to_recordset(${parameter}::json) AS slugs ("blogId" uuid, "projectId" uuid, slug text, aliases text[])
    ), aliased AS MATERIALIZED (
      SELECT project_id, alias, id AS blog_id FROM slugged, unnest(aliases) AS named (alias)
    )`;

/** Gives the `slugged` blogs exactly the aliases that they have there. */
export const putAliases = (table: 'blog_alias' | 'blog_alias_next'): string => `
    unaliased AS (
      DELETE FROM ${table} WHERE blog_id = ANY (ARRAY(SELECT id FROM slugged))
        AND (project_id, alias, blog_id) NOT IN (SELECT project_id, alias, blog_id FROM aliased)
    ), put_aliases AS (
      INSERT INTO ${table} (project_id, alias, blog_id)
      SELECT project_id, alias, blog_id FROM aliased ON CONFLICT DO NOTHING
    )`;
