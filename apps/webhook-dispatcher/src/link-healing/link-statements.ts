import { defineStatement } from '../database/statement.ts';

/** `i` is an integration whose links are healed. */
export const HEALS = 'i.heal_links AND i.active AND i.deleted_at IS NULL';

/**
 * Where a placeholder leads, as the public API has it: `link` is a row of `blog_link`. A bound one leads to its blog
 * under its present slug. While that is not published, and for one that is bound to nothing, the slug counts: it leads
 * to the published post that has it (of two the newer), else, when nothing is bound, to the one whose alias it is. No
 * row when it leads nowhere, or to the post itself. `translation` is the post that it leads to instead, in the language
 * of the linking one, unless the two are translations of each other.
 */
const leadOf = (link: string) => `LATERAL (
  SELECT found.blog_id, found.slug, found.title, CASE WHEN sibling.blog_id IS NOT NULL THEN json_build_object(
    'slug', sibling.slug, 'title', sibling.title, 'blog_id', sibling.blog_id) END AS translation
  FROM (
    SELECT 1 AS rank, t.blog_id, t.slug, t.title, t.language, t.translation_key FROM link_target t
    WHERE t.blog_id = ${link}.target_id AND t.slug IS NOT NULL
    UNION ALL
    (SELECT 2, t.blog_id, t.slug, t.title, t.language, t.translation_key FROM link_target t
     WHERE t.project_id = ${link}.project_id
       AND t.slug = coalesce((SELECT s.slug FROM blog_slug s WHERE s.blog_id = ${link}.target_id), ${link}.slug)
     ORDER BY t.published_at DESC, t.blog_id DESC LIMIT 1)
    UNION ALL
    (SELECT 3, t.blog_id, t.slug, t.title, t.language, t.translation_key
     FROM blog_alias a JOIN link_target t ON t.blog_id = a.blog_id
     WHERE ${link}.target_id IS NULL AND a.project_id = ${link}.project_id AND a.slug = ${link}.slug
       AND t.slug IS NOT NULL
     ORDER BY t.published_at DESC, t.blog_id DESC LIMIT 1)
    ORDER BY rank LIMIT 1
  ) found LEFT JOIN LATERAL (
    SELECT t.blog_id, t.slug, t.title FROM link_target own JOIN link_target t ON t.project_id = own.project_id
      AND t.translation_key = found.translation_key AND t.language = own.language AND t.slug IS NOT NULL
    WHERE own.blog_id = ${link}.blog_id AND own.language IS DISTINCT FROM found.language
      AND own.translation_key IS DISTINCT FROM found.translation_key
    ORDER BY t.published_at DESC, t.blog_id DESC LIMIT 1
  ) sibling ON true
  WHERE found.blog_id <> ${link}.blog_id)`;

/** A lead as one text, to be compared. */
const leadText = (slug: string, title: string, translation: string) =>
  `concat_ws(' ', ${slug}, ${title}, ${translation} ->> 'slug', ${translation} ->> 'title')`;

const SENT_SLUG = "coalesce(t ->> 'current_slug', t ->> 'slug')";

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
        SELECT t ->> 'slug' AS slug,
          min(${leadText(SENT_SLUG, "t ->> 'title'", "t -> 'translation'")}) AS lead
        FROM json_array_elements(n.data -> 'published_link_targets') t GROUP BY 1
      ) sent ON sent.slug = l.slug
    WHERE l.blog_id = n.blog_id AND coalesce(sent.lead, '')
      <> CASE WHEN lead.slug IS NULL THEN '' ELSE ${leadText('lead.slug', 'lead.title', 'lead.translation')} END)`;

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
 * Marks blogs that a change concerns, a bounded number: those that are left are for the next time. `keys` are columns
 * of the table of changes that name one of a project; `linking` selects the `blog_id`s behind `change.after_blog`, by
 * these columns and `further` ones.
 */
const markConcerned = (table: string, keys: readonly string[], further: readonly string[], linking: string) => {
  const listed = keys.map((key) => `change.${key}`).join(', ');
  const isSame = (one: string, other: string) => keys.map((key) => `${one}.${key} = ${other}.${key}`).join(' AND ');
  return `
  WITH receiver AS MATERIALIZED (SELECT id FROM integration i WHERE project_id = :projectId::uuid AND ${HEALS}),
  change AS MATERIALIZED (
    SELECT ${[...keys, ...further].join(', ')}, changed_at, after_blog FROM ${table}
    WHERE project_id = :projectId::uuid ORDER BY changed_at LIMIT ${MAX_CHANGES} FOR UPDATE
  ),
  bound AS (SELECT greatest(1, ${MAX_MARKS} / ${MAX_CHANGES} / greatest(1, (SELECT count(*) FROM receiver))) AS each),
  linking AS MATERIALIZED (
    SELECT ${listed}, change.changed_at, l.blog_id FROM change CROSS JOIN LATERAL (
      SELECT blog_id FROM (${linking}) link ORDER BY blog_id LIMIT (SELECT each FROM bound)
    ) l
  ),
  progress AS (
    SELECT ${listed}, count(*) AS count, max(blog_id::text COLLATE "C")::uuid AS last
    FROM linking AS change GROUP BY ${listed}
  ),
  further AS (
    UPDATE ${table} c SET after_blog = p.last FROM progress p
    WHERE c.project_id = :projectId::uuid AND ${isSame('c', 'p')} AND p.count = (SELECT each FROM bound)
  ),
  done AS (
    DELETE FROM ${table} c USING change
    WHERE c.project_id = :projectId::uuid AND ${isSame('c', 'change')}
      AND coalesce((SELECT p.count FROM progress p WHERE ${isSame('p', 'c')}), 0) < (SELECT each FROM bound)
  )
  INSERT INTO link_healing (integration_id, blog_id, project_id, changed_at)
  SELECT receiver.id, linking.blog_id, :projectId::uuid, max(linking.changed_at)
  FROM linking CROSS JOIN receiver GROUP BY receiver.id, linking.blog_id ORDER BY 1, 2
  ${onMarkedBefore('excluded.changed_at')}`;
};

/** Links of the project's posts that come behind. */
const linksWhere = (condition: string, source = 'blog_link link') => `
      SELECT link.blog_id FROM ${source}
      WHERE link.project_id = :projectId::uuid AND link.blog_id > change.after_blog AND ${condition}`;
const IS_UNBOUND = 'NOT EXISTS (SELECT FROM blog_slug s WHERE s.blog_id = link.target_id)';

/** Marks what names a changed slug, but for what is bound to a blog: that goes by the blog's own slug. */
export const markNaming = defineStatement<never>(
  'mark_naming',
  markConcerned('link_change', ['slug'], [], linksWhere(`link.slug = change.slug AND ${IS_UNBOUND}`)),
);

/** Marks what is bound to a changed blog. */
export const markBound = defineStatement<never>(
  'mark_bound',
  markConcerned('link_target_change', ['target_id'], [], linksWhere('link.target_id = change.target_id')),
);

const IS_IN_LANGUAGE = `link.blog_id IS DISTINCT FROM change.caused_by AND EXISTS (
        SELECT FROM link_target post WHERE post.blog_id = link.blog_id AND post.language = change.language)`;

/**
 * Marks what links to a blog whose translation in its language changed: by the blog's slugs, or bound to it, or to one
 * that is not published and goes by its slug.
 */
export const markTranslated = defineStatement<never>(
  'mark_translated',
  markConcerned(
    'link_translation_change',
    ['target_id', 'language'],
    ['caused_by'],
    `${linksWhere(
      `${IS_UNBOUND} AND ${IS_IN_LANGUAGE}`,
      `(
        SELECT t.slug FROM link_target t WHERE t.blog_id = change.target_id
        UNION SELECT a.slug FROM blog_alias a WHERE a.blog_id = change.target_id
      ) name JOIN blog_link link ON link.slug = name.slug`,
    )}
      UNION ALL ${linksWhere(
        IS_IN_LANGUAGE,
        `(
        SELECT change.target_id
        UNION SELECT s.blog_id FROM link_target t JOIN blog_slug s ON s.project_id = t.project_id AND s.slug = t.slug
        WHERE t.blog_id = change.target_id
      ) target JOIN blog_link link ON link.target_id = target.target_id`,
      )}`,
  ),
);

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
          'slug', name, 'title', title, 'current_slug', nullif(slug, name), 'blog_id', blog_id,
          'translation', translation))), '[]')
        FROM (
          SELECT l.slug AS name, lead.slug, lead.title, lead.blog_id, lead.translation
          FROM blog_link l CROSS JOIN ${leadOf('l')} lead
          WHERE l.blog_id = e.blog_id
          UNION ALL
          SELECT t ->> 'slug', coalesce(t ->> 'current_slug', t ->> 'slug'), t ->> 'title', (t ->> 'blog_id')::uuid,
            t -> 'translation'
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
