import { defineStatement } from '../database/statement.ts';

/** `i` is an integration whose links are healed. */
export const HEALS = 'i.heal_links AND i.active AND i.deleted_at IS NULL';

/**
 * Where a placeholder leads, as the public API has it: `link` is a row of `blog_link`. A bound one leads to its blog
 * under its present slug. While that is not published, and for one that is bound to nothing, the slug counts: it leads
 * to the published post that has it (of two the newer), else, when nothing is bound, to the one whose alias it is. No
 * row when it leads nowhere, or to the post itself.
 */
const leadOf = (link: string) => `LATERAL (
  SELECT found.blog_id, found.slug, found.title FROM (
    SELECT 1 AS rank, t.blog_id, t.slug, t.title FROM link_target t
    WHERE t.blog_id = ${link}.target_id AND t.slug IS NOT NULL
    UNION ALL
    (SELECT 2, t.blog_id, t.slug, t.title FROM link_target t
     WHERE t.project_id = ${link}.project_id
       AND t.slug = coalesce((SELECT s.slug FROM blog_slug s WHERE s.blog_id = ${link}.target_id), ${link}.slug)
     ORDER BY t.published_at DESC, t.blog_id DESC LIMIT 1)
    UNION ALL
    (SELECT 3, t.blog_id, t.slug, t.title FROM blog_alias a JOIN link_target t ON t.blog_id = a.blog_id
     WHERE ${link}.target_id IS NULL AND a.project_id = ${link}.project_id AND a.slug = ${link}.slug
       AND t.slug IS NOT NULL
     ORDER BY t.published_at DESC, t.blog_id DESC LIMIT 1)
    ORDER BY rank LIMIT 1
  ) found WHERE found.blog_id <> ${link}.blog_id)`;

/**
 * Those of these blogs (an array) whose newest event resolves its links differently from what is known to be
 * published. Each event is read once, however many links it has.
 */
const outdatedOf = (blogIds: string) => `
  SELECT n.blog_id, n.project_id
  FROM lifecycle_event n JOIN link_view v ON v.project_id = n.project_id
  WHERE n.newest AND n.blog_id = ANY (${blogIds}) AND EXISTS (
    SELECT FROM blog_link l LEFT JOIN ${leadOf('l')} lead ON true
      LEFT JOIN (
        SELECT t ->> 'slug' AS slug, min(coalesce(t ->> 'current_slug', t ->> 'slug') || ' ' || (t ->> 'title')) AS lead
        FROM json_array_elements(n.data -> 'published_link_targets') t GROUP BY 1
      ) sent ON sent.slug = l.slug
    WHERE l.blog_id = n.blog_id AND lead.slug || ' ' || lead.title IS DISTINCT FROM sent.lead)`;

/** So many changes put a healing off; those that follow do not. */
const MAX_PUT_OFF = 10;

/** What a change does to a healing that waits already. */
function onMarkedBefore(changedAt: string): string {
  return `ON CONFLICT (integration_id, blog_id) DO UPDATE SET changes = link_healing.changes + 1,
    changed_at = CASE WHEN link_healing.changes < ${MAX_PUT_OFF} THEN greatest(link_healing.changed_at, ${changedAt})
      ELSE link_healing.changed_at END`;
}

/**
 * Marks those of these blogs for healing, at all receivers, that they, or what they link to, were published at the same
 * time.
 */
export const markOutdated = defineStatement<never>(
  'mark_outdated',
  `
  INSERT INTO link_healing (integration_id, blog_id, project_id)
  SELECT i.id, b.blog_id, b.project_id
  FROM (${outdatedOf(':blogIds::uuid[]')}) b JOIN integration i ON i.project_id = b.project_id AND ${HEALS}
  ORDER BY 1, 2
  ${onMarkedBefore('now()')}`,
);

/** Most changes that are processed together, and most marks that are made for them. */
const MAX_CHANGES = 50;
const MAX_MARKS = 5_000;

/**
 * Marks blogs that a change concerns, a bounded number: those that are left are for the next time. `key` is the column
 * of the table of changes, and of `blog_link`, by which they belong together.
 */
const markConcerned = (table: string, key: string, concerns: string) => `
  WITH receiver AS MATERIALIZED (SELECT id FROM integration i WHERE project_id = :projectId::uuid AND ${HEALS}),
  change AS MATERIALIZED (
    SELECT ${key}, changed_at, after_blog FROM ${table}
    WHERE project_id = :projectId::uuid ORDER BY changed_at LIMIT ${MAX_CHANGES} FOR UPDATE
  ),
  bound AS (SELECT greatest(1, ${MAX_MARKS} / ${MAX_CHANGES} / greatest(1, (SELECT count(*) FROM receiver))) AS each),
  linking AS MATERIALIZED (
    SELECT change.${key}, change.changed_at, l.blog_id FROM change CROSS JOIN LATERAL (
      SELECT blog_id FROM blog_link link
      WHERE project_id = :projectId::uuid AND ${key} = change.${key} AND blog_id > change.after_blog AND ${concerns}
      ORDER BY blog_id LIMIT (SELECT each FROM bound)
    ) l
  ),
  progress AS (
    SELECT ${key}, count(*) AS count, max(blog_id::text COLLATE "C")::uuid AS last FROM linking GROUP BY ${key}
  ),
  further AS (
    UPDATE ${table} c SET after_blog = p.last FROM progress p
    WHERE c.project_id = :projectId::uuid AND c.${key} = p.${key} AND p.count = (SELECT each FROM bound)
  ),
  done AS (
    DELETE FROM ${table} c USING change
    WHERE c.project_id = :projectId::uuid AND c.${key} = change.${key}
      AND coalesce((SELECT p.count FROM progress p WHERE p.${key} = c.${key}), 0) < (SELECT each FROM bound)
  )
  INSERT INTO link_healing (integration_id, blog_id, project_id, changed_at)
  SELECT receiver.id, linking.blog_id, :projectId::uuid, max(linking.changed_at)
  FROM linking CROSS JOIN receiver GROUP BY receiver.id, linking.blog_id ORDER BY 1, 2
  ${onMarkedBefore('excluded.changed_at')}`;

/** Marks what names a changed slug, but for what is bound to a blog: that goes by the blog's own slug. */
export const markNaming = defineStatement<never>(
  'mark_naming',
  markConcerned('link_change', 'slug', 'NOT EXISTS (SELECT FROM blog_slug s WHERE s.blog_id = link.target_id)'),
);

/** Marks what is bound to a changed blog. */
export const markBound = defineStatement<never>('mark_bound', markConcerned('link_target_change', 'target_id', 'true'));

/** Most posts of a receiver that are compared together. */
const MAX_COMPARED = 200;

/**
 * Marks what a receiver has with other links than lead somewhere now, a bounded part of it: its links are healed since
 * a moment ago. What came there by itself, and not with a publish, had other links than the newest event.
 */
export const markStale = defineStatement<never>(
  'mark_stale',
  `
  WITH recheck AS MATERIALIZED (
    SELECT r.integration_id, r.after_blog FROM link_recheck r JOIN integration i ON i.id = r.integration_id AND ${HEALS}
    WHERE r.project_id = :projectId::uuid ORDER BY r.integration_id LIMIT 1 FOR UPDATE OF r
  ),
  part AS MATERIALIZED (
    SELECT r.integration_id, r.blog_id, r.published, r.position
    FROM recheck JOIN receiver_blog r ON r.integration_id = recheck.integration_id AND r.blog_id > recheck.after_blog
    ORDER BY r.blog_id LIMIT ${MAX_COMPARED}
  ),
  further AS (
    UPDATE link_recheck r SET after_blog = (SELECT max(blog_id::text COLLATE "C")::uuid FROM part) FROM recheck
    WHERE r.integration_id = recheck.integration_id AND (SELECT count(*) FROM part) = ${MAX_COMPARED}
  ),
  done AS (
    DELETE FROM link_recheck r USING recheck
    WHERE r.integration_id = recheck.integration_id AND (SELECT count(*) FROM part) < ${MAX_COMPARED}
  )
  INSERT INTO link_healing (integration_id, blog_id, project_id)
  SELECT part.integration_id, part.blog_id, :projectId::uuid FROM part
  WHERE part.published AND (
    part.blog_id IN (SELECT blog_id FROM (${outdatedOf('ARRAY(SELECT blog_id FROM part WHERE published)')}) outdated)
    OR EXISTS (SELECT FROM blog_link l WHERE l.blog_id = part.blog_id) AND EXISTS (
      SELECT FROM delivery d
      WHERE d.integration_id = part.integration_id AND d.position = part.position AND d.kind <> 'lifecycle'))
  ORDER BY 1, 2
  ${onMarkedBefore('now()')}`,
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
        SELECT coalesce(json_agg(json_strip_nulls(json_build_object(
          'slug', name, 'title', title, 'current_slug', nullif(slug, name), 'blog_id', blog_id))), '[]')
        FROM (
          SELECT l.slug AS name, lead.slug, lead.title, lead.blog_id FROM blog_link l CROSS JOIN ${leadOf('l')} lead
          WHERE l.blog_id = e.blog_id
          UNION ALL
          SELECT t ->> 'slug', coalesce(t ->> 'current_slug', t ->> 'slug'), t ->> 'title', (t ->> 'blog_id')::uuid
          FROM json_array_elements(field.value) t
          WHERE NOT EXISTS (SELECT FROM blog_link l WHERE l.blog_id = e.blog_id AND l.slug = t ->> 'slug')
        ) target)
      ELSE field.value END)
    FROM json_each(e.data) field)
  FROM lifecycle_event e JOIN link_view v ON v.project_id = e.project_id
    LEFT JOIN project p ON p.id = e.project_id AND NOT p.deleted
  WHERE e.blog_id = ANY (:blogIds::uuid[]) AND e.newest AND e.data ->> 'event' = ANY (:showing::text[])
  RETURNING id::text, blog_id::text`,
);
