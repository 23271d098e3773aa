import { defineRows, defineStatement, type RowOf } from '../database/statement.ts';

const postColumns = {
  blog_id: 'uuid',
  project_id: 'uuid',
  event_number: 'integer',
  slug: 'text',
  title: 'text',
  published_at: 'timestamptz',
} as const;
const linkColumns = { project_id: 'uuid', slug: 'text', blog_id: 'uuid' } as const;
/** Blogs as targets of links. */
export const givenPosts = defineRows('post', postColumns);
export type PostRow = RowOf<typeof postColumns>;
/** Which slugs these blogs link to. */
export const givenLinks = defineRows('link', linkColumns);
export type LinkRow = RowOf<typeof linkColumns>;

/** `i` is an integration whose links are healed. */
export const HEALS = 'i.heal_links AND i.active AND i.deleted_at IS NULL';

/**
 * Keeps what is given, but for what is older than what is known, and notes each slug that leads elsewhere now. Of a
 * blog that was not known yet, `notesUnknown` decides.
 */
export const keepLinks = defineStatement<never>(
  'keep_links',
  `
  WITH given AS MATERIALIZED (SELECT * FROM ${givenPosts.from}),
  given_link AS MATERIALIZED (SELECT * FROM ${givenLinks.from}),
  old AS MATERIALIZED (SELECT blog_id, slug, title FROM link_target
    WHERE blog_id = ANY (ARRAY(SELECT blog_id FROM given))),
  kept AS (
    INSERT INTO link_target (blog_id, project_id, event_number, slug, title, published_at)
    SELECT blog_id, project_id, event_number, slug, title, published_at FROM given
    ON CONFLICT (blog_id) DO UPDATE SET event_number = excluded.event_number, slug = excluded.slug,
      title = excluded.title, published_at = excluded.published_at
    WHERE link_target.event_number < excluded.event_number
    RETURNING blog_id
  ),
  unlinked AS (
    DELETE FROM blog_link l WHERE l.blog_id = ANY (ARRAY(SELECT blog_id FROM kept))
      AND NOT EXISTS (SELECT FROM given_link g WHERE g.blog_id = l.blog_id AND g.slug = l.slug)
  ),
  linked AS (
    INSERT INTO blog_link (project_id, slug, blog_id)
    SELECT project_id, slug, blog_id FROM given_link WHERE blog_id IN (SELECT blog_id FROM kept)
    ON CONFLICT DO NOTHING
  )
  INSERT INTO link_change (project_id, slug)
  SELECT DISTINCT g.project_id, leads.slug
  FROM kept JOIN given g ON g.blog_id = kept.blog_id LEFT JOIN old o ON o.blog_id = kept.blog_id
    CROSS JOIN LATERAL (VALUES (o.slug), (g.slug)) AS leads (slug)
  WHERE leads.slug IS NOT NULL AND (o.slug, o.title) IS DISTINCT FROM (g.slug, g.title)
    AND (:notesUnknown::boolean OR o.blog_id IS NOT NULL)
  ORDER BY 1, 2
  ON CONFLICT (project_id, slug) DO UPDATE SET changed_at = now(), after_blog = DEFAULT`,
);

/**
 * The title of the published post that a slug `named` leads to; of two with one slug that of the newer, as the public
 * API has it.
 */
const titleOf = (named: string) => `(
  SELECT target.title FROM link_target target
  WHERE target.project_id = ${named}.project_id AND target.slug = ${named}.slug
  ORDER BY target.published_at DESC, target.blog_id DESC LIMIT 1)`;

/**
 * Those of these blogs whose newest event resolves its links differently from what is known to be published: they, or
 * what they link to, were published at the same time.
 */
const OUTDATED_BLOGS = `
  SELECT DISTINCT l.blog_id, l.project_id
  FROM blog_link l JOIN link_view v ON v.project_id = l.project_id
    JOIN lifecycle_event n ON n.blog_id = l.blog_id AND n.newest
  WHERE l.blog_id = ANY (:blogIds::uuid[]) AND ${titleOf('l')} IS DISTINCT FROM (
    SELECT t ->> 'title' FROM json_array_elements(n.data -> 'published_link_targets') t
    WHERE t ->> 'slug' = l.slug LIMIT 1)`;

/** So many changes put a healing off; those that follow do not. */
const MAX_PUT_OFF = 10;

/** What a change does to a healing that waits already. */
function onMarkedBefore(changedAt: string): string {
  return `ON CONFLICT (integration_id, blog_id) DO UPDATE SET changes = link_healing.changes + 1,
    changed_at = CASE WHEN link_healing.changes < ${MAX_PUT_OFF} THEN greatest(link_healing.changed_at, ${changedAt})
      ELSE link_healing.changed_at END`;
}

/** Marks such blogs for healing at all receivers. */
export const markOutdated = defineStatement<never>(
  'mark_outdated',
  `
  INSERT INTO link_healing (integration_id, blog_id, project_id)
  SELECT i.id, b.blog_id, b.project_id
  FROM (${OUTDATED_BLOGS}) b JOIN integration i ON i.project_id = b.project_id AND ${HEALS}
  ORDER BY 1, 2
  ${onMarkedBefore('now()')}`,
);

/** Most slugs that are gone through at once, and most marks that are made for them. */
const MAX_SLUGS = 50;
const MAX_MARKS = 5_000;

/** Marks blogs that link to changed slugs of a project, a bounded number: those that are left are for the next time. */
export const markLinking = defineStatement<never>(
  'mark_linking',
  `
  WITH receiver AS MATERIALIZED (SELECT id FROM integration i WHERE project_id = :projectId::uuid AND ${HEALS}),
  change AS MATERIALIZED (
    SELECT slug, changed_at, after_blog FROM link_change
    WHERE project_id = :projectId::uuid ORDER BY changed_at LIMIT ${MAX_SLUGS} FOR UPDATE
  ),
  bound AS (SELECT greatest(1, ${MAX_MARKS} / ${MAX_SLUGS} / greatest(1, (SELECT count(*) FROM receiver))) AS each),
  linking AS MATERIALIZED (
    SELECT change.slug, change.changed_at, l.blog_id FROM change CROSS JOIN LATERAL (
      SELECT blog_id FROM blog_link
      WHERE project_id = :projectId::uuid AND slug = change.slug AND blog_id > change.after_blog
      ORDER BY blog_id LIMIT (SELECT each FROM bound)
    ) l
  ),
  progress AS (SELECT slug, count(*) AS count, max(blog_id::text COLLATE "C")::uuid AS last FROM linking GROUP BY slug),
  further AS (
    UPDATE link_change c SET after_blog = p.last FROM progress p
    WHERE c.project_id = :projectId::uuid AND c.slug = p.slug AND p.count = (SELECT each FROM bound)
  ),
  done AS (
    DELETE FROM link_change c USING change
    WHERE c.project_id = :projectId::uuid AND c.slug = change.slug
      AND coalesce((SELECT p.count FROM progress p WHERE p.slug = c.slug), 0) < (SELECT each FROM bound)
  )
  INSERT INTO link_healing (integration_id, blog_id, project_id, changed_at)
  SELECT receiver.id, linking.blog_id, :projectId::uuid, max(linking.changed_at)
  FROM linking CROSS JOIN receiver GROUP BY receiver.id, linking.blog_id ORDER BY 1, 2
  ${onMarkedBefore('excluded.changed_at')}`,
);

/**
 * Repeats the newest events of blogs, under new ids, with the links that lead to what is published now (contract
 * §2.4.3): as the public API resolves them. Only where that is known. What a post links to beyond `MAX_WATCHED_LINKS`
 * stays as it was.
 */
export const repeatEvents = defineStatement<{ id: string; blog_id: string }>(
  'repeat_events',
  `
  INSERT INTO lifecycle_event (id, project_id, blog_id, blog_event_number, time, traceparent, data)
  SELECT gen_random_uuid(), e.project_id, e.blog_id, e.blog_event_number, now(), e.traceparent, (
    SELECT json_object_agg(field.key, CASE field.key
      WHEN 'site_url' THEN CASE WHEN p.id IS NULL THEN field.value ELSE coalesce(to_json(p.site_url), 'null') END
      WHEN 'published_link_targets' THEN (
        SELECT coalesce(json_agg(json_build_object('slug', slug, 'title', title)), '[]') FROM (
          SELECT l.slug, ${titleOf('l')} AS title FROM blog_link l WHERE l.blog_id = e.blog_id
          UNION ALL
          SELECT t ->> 'slug', t ->> 'title' FROM json_array_elements(field.value) t
          WHERE NOT EXISTS (SELECT FROM blog_link l WHERE l.blog_id = e.blog_id AND l.slug = t ->> 'slug')
        ) target WHERE title IS NOT NULL)
      ELSE field.value END)
    FROM json_each(e.data) field)
  FROM lifecycle_event e JOIN link_view v ON v.project_id = e.project_id
    LEFT JOIN project p ON p.id = e.project_id AND NOT p.deleted
  WHERE e.blog_id = ANY (:blogIds::uuid[]) AND e.newest AND e.data ->> 'event' = ANY (:showing::text[])
  RETURNING id::text, blog_id::text`,
);
