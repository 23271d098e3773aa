import { defineRows, defineStatement, type RowOf } from '../database/statement.ts';
import { HEALS } from './link-statements.ts';

const postColumns = {
  blog_id: 'uuid',
  project_id: 'uuid',
  event_number: 'integer',
  changes_visibility: 'boolean',
  slug: 'text',
  title: 'text',
  published_at: 'timestamptz',
  language: 'text',
  translation_key: 'text',
} as const;
const slugColumns = {
  blog_id: 'uuid',
  project_id: 'uuid',
  event_number: 'integer',
  known_slug: 'text',
  has_aliases: 'boolean',
} as const;
const linkColumns = { project_id: 'uuid', slug: 'text', blog_id: 'uuid', target_id: 'uuid' } as const;
const aliasColumns = { project_id: 'uuid', slug: 'text', blog_id: 'uuid' } as const;
/** What events say of blogs; see `LinksOfEvent` and `SlugsOfEvent`. */
export const givenPosts = defineRows('post', postColumns);
export type PostRow = RowOf<typeof postColumns>;
export const givenSlugs = defineRows('blog', slugColumns);
export type SlugRow = RowOf<typeof slugColumns>;
/** Which slugs these blogs link to, and the blogs that these are bound to. */
export const givenLinks = defineRows('link', linkColumns);
export type LinkRow = RowOf<typeof linkColumns>;
export const givenAliases = defineRows('alias', aliasColumns);
export type AliasRow = RowOf<typeof aliasColumns>;

/**
 * Keeps what is given of slugs, but for what is older than what is known: of every blog, whether or not links are
 * healed in its project. What is turned on later needs to know it.
 */
export const keepSlugs = defineStatement<never>(
  'keep_slugs',
  `
  WITH given AS MATERIALIZED (SELECT * FROM ${givenSlugs.from}),
  given_alias AS MATERIALIZED (SELECT * FROM ${givenAliases.from}),
  news AS MATERIALIZED (
    SELECT g.* FROM given g LEFT JOIN blog_slug s ON s.blog_id = g.blog_id
    WHERE coalesce(s.event_number, 0) < g.event_number
  ),
  slugs AS (
    INSERT INTO blog_slug (blog_id, project_id, event_number, slug)
    SELECT blog_id, project_id, event_number, known_slug FROM news WHERE known_slug IS NOT NULL
    ON CONFLICT (blog_id) DO UPDATE SET event_number = excluded.event_number, slug = excluded.slug
  ),
  released AS (
    DELETE FROM blog_alias a USING news WHERE news.has_aliases AND a.blog_id = news.blog_id
      AND NOT EXISTS (SELECT FROM given_alias g WHERE g.blog_id = a.blog_id AND g.slug = a.slug)
  )
  INSERT INTO blog_alias (project_id, slug, blog_id)
  SELECT project_id, slug, blog_id FROM given_alias WHERE blog_id IN (SELECT blog_id FROM news)
  ON CONFLICT DO NOTHING`,
);

/**
 * Keeps what is given of blogs as targets of links, and of what they link to, but for what is older than what is known,
 * in projects whose links are healed. Notes each slug that leads elsewhere now, each blog of which that is true for
 * what is bound to it, and each that leads posts in one language to another translation. Of a blog that was not known
 * yet, `notesUnknown` decides.
 *
 * It compares with the slugs that were known, so those are kept afterwards (`keepSlugs`). All its parts see the tables
 * as they were; the caller holds the locks of the blogs.
 */
export const keepLinks = defineStatement<never>(
  'keep_links',
  `
  WITH given AS MATERIALIZED (SELECT * FROM ${givenPosts.from}),
  given_slug AS MATERIALIZED (SELECT * FROM ${givenSlugs.from}),
  given_link AS MATERIALIZED (SELECT * FROM ${givenLinks.from}),
  given_alias AS MATERIALIZED (SELECT * FROM ${givenAliases.from}),
  news AS MATERIALIZED (
    SELECT g.*, gs.known_slug, gs.has_aliases, t.slug AS old_slug, t.title AS old_title, s.slug AS old_known_slug,
      t.language AS old_language, t.translation_key AS old_key,
      t.blog_id IS NOT NULL AS was_target,
      g.changes_visibility AND coalesce(t.event_number, 0) < g.event_number AS moves,
      coalesce(s.event_number, 0) < g.event_number AS renames
    FROM given g JOIN given_slug gs ON gs.blog_id = g.blog_id
    LEFT JOIN link_target t ON t.blog_id = g.blog_id LEFT JOIN blog_slug s ON s.blog_id = g.blog_id
    WHERE EXISTS (SELECT FROM integration i WHERE i.project_id = g.project_id AND ${HEALS})
  ),
  target AS (
    INSERT INTO link_target (blog_id, project_id, event_number, slug, title, published_at, language, translation_key)
    SELECT blog_id, project_id, event_number, slug, title, published_at, language, translation_key
    FROM news WHERE moves
    ON CONFLICT (blog_id) DO UPDATE SET event_number = excluded.event_number, slug = excluded.slug,
      title = excluded.title, published_at = excluded.published_at, language = excluded.language,
      translation_key = excluded.translation_key
  ),
  unlinked AS (
    DELETE FROM blog_link l USING news WHERE news.moves AND l.blog_id = news.blog_id
      AND NOT EXISTS (SELECT FROM given_link g WHERE g.blog_id = l.blog_id AND g.slug = l.slug)
  ),
  linked AS (
    INSERT INTO blog_link (project_id, slug, blog_id, target_id)
    SELECT project_id, slug, blog_id, target_id FROM given_link
    WHERE blog_id IN (SELECT blog_id FROM news WHERE moves)
    ON CONFLICT (project_id, slug, blog_id) DO UPDATE SET target_id = excluded.target_id
  ),
  noted AS MATERIALIZED (
    SELECT blog_id, project_id, old_slug, old_title, old_known_slug, old_language, old_key,
      renames AND has_aliases AS has_aliases,
      CASE WHEN moves THEN slug ELSE old_slug END AS slug, CASE WHEN moves THEN title ELSE old_title END AS title,
      CASE WHEN moves THEN language ELSE old_language END AS language,
      CASE WHEN moves THEN translation_key ELSE old_key END AS key,
      CASE WHEN renames THEN coalesce(known_slug, old_known_slug) ELSE old_known_slug END AS known_slug
    FROM news WHERE was_target OR :notesUnknown::boolean
  ),
  -- Where names led, and where they lead: a row that is here twice is unchanged.
  leads AS (
    SELECT blog_id, project_id, old_slug AS slug, old_title AS title, name FROM noted CROSS JOIN LATERAL (
      SELECT noted.old_slug AS name UNION SELECT a.slug FROM blog_alias a WHERE a.blog_id = noted.blog_id
    ) names WHERE old_slug IS NOT NULL
    UNION ALL
    SELECT blog_id, project_id, slug, title, name FROM noted CROSS JOIN LATERAL (
      SELECT noted.slug AS name
      UNION SELECT g.slug FROM given_alias g WHERE noted.has_aliases AND g.blog_id = noted.blog_id
      UNION SELECT a.slug FROM blog_alias a WHERE NOT noted.has_aliases AND a.blog_id = noted.blog_id
    ) names WHERE slug IS NOT NULL
  ),
  changed AS MATERIALIZED (
    SELECT project_id, name FROM leads GROUP BY blog_id, project_id, slug, title, name HAVING count(*) = 1
  ),
  changed_targets AS (
    INSERT INTO link_target_change (project_id, target_id)
    SELECT project_id, blog_id FROM noted
    WHERE (old_slug, old_title, old_known_slug) IS DISTINCT FROM (slug, title, known_slug)
    UNION
    -- What is bound to a blog that is not published goes by that blog's slug.
    SELECT s.project_id, s.blog_id FROM changed c JOIN blog_slug s ON s.project_id = c.project_id AND s.slug = c.name
    WHERE NOT EXISTS (SELECT FROM link_target t WHERE t.blog_id = s.blog_id AND t.slug IS NOT NULL)
    ORDER BY 1, 2
    ON CONFLICT (project_id, target_id) DO UPDATE SET changed_at = now(), after_blog = DEFAULT
  ),
  -- Which translation each was and is. Of two in one language the newer counts: any publish may change which that is.
  translation AS (
    SELECT blog_id, project_id, old_key AS key, old_language AS language FROM noted
    WHERE (old_slug, old_title, old_language, old_key) IS DISTINCT FROM (slug, title, language, key)
    UNION
    SELECT blog_id, project_id, key, language FROM noted
    WHERE (old_slug, old_title, old_language, old_key) IS DISTINCT FROM (slug, title, language, key) OR EXISTS (
      SELECT FROM link_target t WHERE t.project_id = noted.project_id AND t.translation_key = noted.key
        AND t.language = noted.language AND t.blog_id <> noted.blog_id)
  ),
  changed_translations AS (
    INSERT INTO link_translation_change (project_id, target_id, language, caused_by)
    SELECT one.project_id, turned.target_id, turned.language,
      CASE WHEN count(DISTINCT one.blog_id) = 1 THEN min(one.blog_id::text)::uuid END
    FROM translation one CROSS JOIN LATERAL (
      SELECT blog_id, language FROM link_target t
      WHERE t.project_id = one.project_id AND t.translation_key = one.key AND t.blog_id <> one.blog_id
      UNION
      SELECT blog_id, language FROM noted n
      WHERE n.project_id = one.project_id AND n.key = one.key AND n.blog_id <> one.blog_id
    ) sibling CROSS JOIN LATERAL (
      VALUES (sibling.blog_id, one.language), (one.blog_id, sibling.language)
    ) turned (target_id, language)
    WHERE turned.language IS NOT NULL
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (project_id, target_id, language) DO UPDATE SET changed_at = now(), after_blog = DEFAULT,
      caused_by = CASE WHEN link_translation_change.caused_by = excluded.caused_by THEN excluded.caused_by END
  )
  INSERT INTO link_change (project_id, slug)
  SELECT DISTINCT project_id, name FROM changed ORDER BY 1, 2
  ON CONFLICT (project_id, slug) DO UPDATE SET changed_at = now(), after_blog = DEFAULT`,
);
