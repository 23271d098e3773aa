/**
 * What `since` reads is kept with the change itself (ADR 16): `blog_change` has the last change of each blog at each
 * slug, in the order of the project's version, and `blog_link` says which blogs name a slug. A transaction that writes
 * to them holds the project's row: so no change comes in before a position that was given out.
 */

/** `blog_change.kind`. Within one version they come in this order: readers who keep posts by slug end up right. */
export const CHANGE_KIND = { left: 0, shown: 1, linked: 2 } as const;

/** The nil and the max UUID (RFC 9562): before and after any other. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** `blog_change.blog_id` where a target changed: after any blog's, so that a position may be among those. */
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

/** What `blog_link` and `blog_change` call a blog that placeholders are bound to. No slug looks like it. */
const boundTo = (id: string): string => `'@' || ${id}`;

/**
 * The targets that the blogs in `source` link to: slugs, and blogs that some of these are bound to. The slug counts
 * then, too: a blog that was never published may be deleted, and its slug go to another.
 */
export const linksOf = (source: string): string => `
  SELECT ${source}.project_id, target.slug, ${source}.id FROM ${source}, ${watched(source)}
  CROSS JOIN LATERAL (
    SELECT named.slug UNION ALL
    SELECT ${boundTo('bound.id')} FROM (SELECT ${source}.link_bindings ->> named.slug AS id) AS bound
    WHERE bound.id IS NOT NULL
  ) AS target`;

/** What is compared of blogs, before and after a statement. */
export const LOGGED = `id, project_id, slug, title, link_slugs, link_bindings,
        extra ->> 'language' AS language, extra ->> 'translation_key' AS translation_key`;

/** A part of a statement's WITH: what the blogs of the parameter were. */
export const blogsBefore = (ids: `$${number}`): string => `
    before AS MATERIALIZED (
      SELECT ${LOGGED} FROM published_blog
      WHERE id = ANY (${ids}::uuid[])
    )`;

/** What `blog_change` calls a target that turned for posts in one language: neither part has a space. */
const turnedIn = (target: string, language: string): string => `${target} || ' ' || ${language}`;

/** The target that such a text, or the text of one that turned for all posts, is about. */
export const turnedTarget = (text: string): string => `split_part(${text}, ' ', 1)`;

/** Whether it is about a post that links there: it is in the language, if there is one. */
export const isTurnedFor = (text: string, postId: string): string =>
  `(position(' ' IN ${text}) = 0 OR ${isPostIn(postId, `split_part(${text}, ' ', 2)`)})`;

const isPostIn = (id: string, language: string): string =>
  `EXISTS (SELECT FROM published_blog WHERE published_blog.id = ${id} AND extra ->> 'language' = ${language} OFFSET 0)`;

/** These columns of what `put` and `before` don't have in common. */
const different = (columns: string): string => `(
      (SELECT ${columns} FROM put EXCEPT SELECT ${columns} FROM before) UNION ALL
      (SELECT ${columns} FROM before EXCEPT SELECT ${columns} FROM put)
    )`;

/**
 * Parts of a statement's WITH that log what it does. `put`: the blogs it has written, with what is named here;
 * `changed`: projects with their new versions; `slugged` and `aliased` as in alias-statements.ts; `before`: {@link
 * blogsBefore}; `beside`: other blogs at the same slugs; `turned`: targets that mean something else to posts that link
 * to them. Those are the slugs and aliases of blogs that are shown, hidden, renamed or have another title, the blogs
 * themselves for placeholders that are bound to them, and hidden blogs with such a slug: their placeholders go by it.
 * `turned_in`: targets that lead posts in one language elsewhere, because their translation in it is another one.
 * Rows are found one by one, through the keys, no matter what the planner estimates.
 *
 * @param replaced the parameter with the ids of all blogs that are written or removed
 * @param changing the parameter with these ids and those of blogs that get other slugs
 */
export const logChanges = (replaced: `$${number}`, changing: `$${number}`): string => `
    touched AS (
      SELECT project_id, slug FROM put UNION SELECT project_id, slug FROM before
    ), beside AS MATERIALIZED (
      SELECT touched.project_id, touched.slug, other.id FROM touched CROSS JOIN LATERAL (
        SELECT id FROM published_blog WHERE project_id = touched.project_id AND slug = touched.slug
          AND id <> ALL (${replaced}::uuid[]) OFFSET 0
      ) AS other
    ), different AS MATERIALIZED (
      SELECT * FROM ${different('id, project_id, slug, title')} AS either
    ), aliased_before AS MATERIALIZED (
      SELECT project_id, alias, blog_id FROM blog_alias WHERE blog_id = ANY (${changing}::uuid[])
    ), known_slug AS MATERIALIZED (
      SELECT blog_id, slug FROM blog_position WHERE blog_id = ANY (${changing}::uuid[])
    ), turned AS (
      SELECT project_id, slug FROM different
      UNION SELECT project_id, slug FROM beside
      UNION SELECT project_id, ${boundTo('id')} FROM different
      UNION SELECT project_id, alias FROM (SELECT * FROM aliased_before UNION SELECT * FROM aliased) AS either
        WHERE blog_id IN (SELECT id FROM different)
      UNION SELECT project_id, alias FROM (
        (SELECT * FROM aliased EXCEPT SELECT * FROM aliased_before) UNION ALL
        (SELECT * FROM aliased_before WHERE blog_id IN (SELECT id FROM slugged) EXCEPT SELECT * FROM aliased)
      ) AS other
      UNION SELECT slugged.project_id, ${boundTo('slugged.id')} FROM slugged
        LEFT JOIN known_slug ON known_slug.blog_id = slugged.id WHERE known_slug.slug IS DISTINCT FROM slugged.slug
      UNION SELECT different.project_id, ${boundTo('hidden.blog_id')} FROM different CROSS JOIN LATERAL (
        SELECT blog_id FROM blog_position
        WHERE project_id = different.project_id AND slug = different.slug AND blog_id <> different.id OFFSET 0
      ) AS hidden
    ), regrouped AS MATERIALIZED (
      SELECT id, project_id, slug, language, translation_key
      FROM ${different('id, project_id, slug, title, language, translation_key')} AS either
      WHERE translation_key IS NOT NULL AND language IS NOT NULL
      -- Of two in one language the newer counts: which one that is may change with any publish.
      UNION SELECT put.id, put.project_id, put.slug, put.language, put.translation_key
      FROM put CROSS JOIN LATERAL (
        SELECT FROM published_blog
        WHERE project_id = put.project_id AND extra ->> 'translation_key' = put.translation_key
          AND extra ->> 'language' = put.language AND published_blog.id <> put.id LIMIT 1
      ) AS rival
    ), translations AS MATERIALIZED (
      SELECT one.project_id, one.id, one.slug, one.language, sibling.id AS sibling_id, sibling.slug AS sibling_slug,
        sibling.language AS sibling_language
      FROM regrouped AS one CROSS JOIN LATERAL (
        SELECT id, slug, extra ->> 'language' AS language FROM published_blog
        WHERE project_id = one.project_id AND extra ->> 'translation_key' = one.translation_key
        UNION SELECT id, slug, language FROM put
        WHERE project_id = one.project_id AND translation_key = one.translation_key
      ) AS sibling
      WHERE sibling.id <> one.id
    ), turned_in AS (
      SELECT DISTINCT target.project_id, name.slug, target.language
      FROM (
        SELECT project_id, id, slug, sibling_language AS language FROM translations
        UNION SELECT project_id, sibling_id, sibling_slug, language FROM translations
      ) AS target CROSS JOIN LATERAL (
        SELECT target.slug UNION SELECT ${boundTo('target.id')}
        UNION SELECT alias FROM blog_alias WHERE blog_id = target.id
        UNION SELECT alias FROM aliased WHERE blog_id = target.id
        UNION SELECT ${boundTo('blog_id')} FROM blog_position
          WHERE project_id = target.project_id AND blog_position.slug = target.slug AND blog_id <> target.id
      ) AS name (slug)
      WHERE target.language IS NOT NULL
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
        ) AS named UNION ALL
        SELECT turned_in.project_id, ${turnedIn('turned_in.slug', 'turned_in.language')}, '${ALL_BLOGS}',
          ${CHANGE_KIND.linked}
        FROM turned_in CROSS JOIN LATERAL (
          SELECT FROM blog_link
          WHERE project_id = turned_in.project_id AND slug IN (turned_in.slug, '${ANY_SLUG}')
            AND ${isPostIn('blog_link.blog_id', 'turned_in.language')} LIMIT 1
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
