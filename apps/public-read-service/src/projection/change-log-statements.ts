/**
 * What `since` reads is kept with the change itself (ADR 16): `blog_change` has the last change of each blog at each
 * slug, in the order of the project's version, and `blog_link` says which blogs name a slug. Whoever writes to them
 * holds the project's row: so no change comes in before a position that was given out.
 */

/** `blog_change.kind`. Within one version they come in this order: readers who keep posts by slug end up right. */
export const CHANGE_KIND = { left: 0, shown: 1, linked: 2 } as const;

/** The nil and the max UUID (RFC 9562): before and after any other. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * `blog_change.blog_id` where a slug changed as a target: after any blog's, so that a position may stand among those.
 */
const ALL_BLOGS = MAX_ID;

/** A post that names more slugs counts as naming all: it may have tens of thousands of placeholders. */
export const MAX_WATCHED_TARGETS = 200;

/** The slug in `blog_link` of a post that names too many. */
export const ANY_SLUG = '';

/** The version from which on the changes of a project are all known; older positions are gone. */
export const OLDEST_POSITION = `
  CASE WHEN project.links_known AND project.logged_version = project.version
    THEN project.changes_from ELSE project.version END`;

const watched = (blog: string): string => `
  unnest(CASE WHEN cardinality(${blog}.link_slugs) > ${MAX_WATCHED_TARGETS} THEN ARRAY['${ANY_SLUG}']
    ELSE ${blog}.link_slugs END) AS named (slug)`;

/** The slugs that the blogs in `source` name. */
export const linksOf = (source: string): string =>
  `SELECT ${source}.project_id, named.slug, ${source}.id FROM ${source}, ${watched(source)}`;

/**
 * Parts of a statement's WITH that log what it does. `put`: the blogs it has written, with what is named here;
 * `changed`: projects with their new versions; `before`: what the blogs were; `beside`: other blogs at the same slugs;
 * `turned`: slugs that mean something else to posts that link to them. Rows are found one by one, through the keys,
 * whatever the planner believes.
 *
 * @param replaced the parameter with the ids of all blogs that are written or removed
 */
export const logChanges = (replaced: `$${number}`): string => `
    before AS MATERIALIZED (
      SELECT id, project_id, slug, title, link_slugs FROM published_blog WHERE id = ANY (${replaced}::uuid[])
    ), touched AS (
      SELECT project_id, slug FROM put UNION SELECT project_id, slug FROM before
    ), beside AS MATERIALIZED (
      SELECT touched.project_id, touched.slug, other.id FROM touched CROSS JOIN LATERAL (
        SELECT id FROM published_blog WHERE project_id = touched.project_id AND slug = touched.slug
          AND id <> ALL (${replaced}::uuid[]) OFFSET 0
      ) AS other
    ), turned AS (
      SELECT project_id, slug FROM (
        (SELECT id, project_id, slug, title FROM put EXCEPT SELECT id, project_id, slug, title FROM before) UNION ALL
        (SELECT id, project_id, slug, title FROM before EXCEPT SELECT id, project_id, slug, title FROM put)
      ) AS different
      UNION SELECT project_id, slug FROM beside
    ), logged AS (
      INSERT INTO blog_change (project_id, slug, blog_id, version, kind)
      SELECT news.project_id, news.slug, news.id, changed.version, news.kind
      FROM (
        SELECT project_id, slug, id, ${CHANGE_KIND.shown} AS kind FROM put UNION ALL
        SELECT project_id, slug, id, ${CHANGE_KIND.left} FROM (
          SELECT id, project_id, slug FROM before EXCEPT SELECT id, project_id, slug FROM put
        ) AS gone UNION ALL
        SELECT project_id, slug, id, ${CHANGE_KIND.shown} FROM beside UNION ALL
        SELECT turned.project_id, turned.slug, '${ALL_BLOGS}', ${CHANGE_KIND.linked} FROM turned CROSS JOIN LATERAL (
          SELECT FROM blog_link
          WHERE project_id = turned.project_id AND slug IN (turned.slug, '${ANY_SLUG}') LIMIT 1
        ) AS named
      ) AS news
      JOIN changed ON changed.id = news.project_id
      ON CONFLICT (project_id, slug, blog_id) DO UPDATE SET version = excluded.version, kind = excluded.kind
    ), unlinked AS (
      DELETE FROM blog_link WHERE ctid = ANY (ARRAY(
        SELECT known.place FROM (${linksOf('before')} EXCEPT ${linksOf('put')}) AS link
        CROSS JOIN LATERAL (
          SELECT ctid AS place FROM blog_link
          WHERE project_id = link.project_id AND slug = link.slug AND blog_id = link.id OFFSET 0
        ) AS known
      ))
    ), linked AS (
      INSERT INTO blog_link (project_id, slug, blog_id) ${linksOf('put')} ON CONFLICT DO NOTHING
    )`;
