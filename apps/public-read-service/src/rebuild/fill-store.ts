import type { ReceivedEvent } from '@blog-content/event-log';
import type { ProjectEvent } from '@blog-content/payload-schemas';
import { inTransaction } from '@blog-content/postgres';
import { storableText } from '@blog-content/service-runtime';
import type { Pool, PoolClient } from 'pg';
import { newestOfEach } from '../projection/apply-project-events.ts';
import { putAliases, sluggedBlogs } from '../projection/alias-statements.ts';
import { toBlogRows, upsertBlogs } from '../projection/blog-statements.ts';
import { planLifecycle, type Progress, type ReceivedLifecycleEvent } from '../projection/plan-lifecycle.ts';
import { authorsJson, toStoredAuthor } from '../queries/published-blog.ts';
import { toPublishedBlog } from '../projection/to-published-blog.ts';

/**
 * `$1` published blogs, `$2` positions, `$3` ids of blogs that are published no more, `$4` ids of changed projects,
 * `$5` the addresses that some of these get, `$6` slugs of blogs. What the consumer has announced so far is looked at
 * again in the end.
 */
const PUT = `
  WITH ${sluggedBlogs('$6')}, ${putAliases('blog_alias_next')}, removed AS (
    DELETE FROM published_blog_next WHERE id = ANY ($3::uuid[])
  ), projects AS (
    INSERT INTO project_next (id, version, site_url)
    SELECT id, 0, $5::jsonb ->> id::text FROM unnest($4::uuid[]) AS changed (id) ORDER BY id
    ON CONFLICT (id) DO UPDATE SET site_url = excluded.site_url
    WHERE project_next.event_number = 0 AND $5::jsonb ? project_next.id::text
  ), positions AS (
    INSERT INTO blog_position_next (blog_id, project_id, event_number, announced_number, slug)
    SELECT "blogId", moved."projectId", "eventNumber",
      nullif(least(coalesce(announced_number, event_number, 0), "eventNumber"), "eventNumber"), slugged.slug
    FROM json_to_recordset($2::json) AS moved ("blogId" uuid, "projectId" uuid, "eventNumber" int)
    LEFT JOIN blog_position ON blog_id = "blogId"
    LEFT JOIN slugged ON slugged.id = "blogId"
    ON CONFLICT (blog_id) DO UPDATE SET event_number = excluded.event_number,
      announced_number = excluded.announced_number, slug = coalesce(excluded.slug, blog_position_next.slug)
  )
  ${upsertBlogs('published_blog_next', '$1')}`;

/** Puts blogs into the next generation, or takes them out. Resolves to how many were put in. */
export async function putLifecycleEvents(pool: Pool, events: readonly ReceivedLifecycleEvent[]): Promise<number> {
  const known = await pool.query<{ blog_id: string; event_number: number }>(
    'SELECT blog_id, event_number FROM blog_position_next WHERE blog_id = ANY ($1::uuid[])',
    [events.map((event) => event.data.blog_id)],
  );
  const positions = new Map<string, Progress>(
    known.rows.map(({ blog_id, event_number: number }) => [blog_id, { eventNumber: number, announcedNumber: number }]),
  );
  const plan = planLifecycle(events, positions);
  if (plan.applied.length === 0) return 0;

  const published = plan.published.map(toPublishedBlog);
  const kept = new Set(published.map((blog) => blog.id));
  await pool.query(PUT, [
    toBlogRows(published),
    JSON.stringify(plan.positions),
    plan.replaced.filter((id) => positions.has(id) && !kept.has(id)),
    plan.changedProjects,
    JSON.stringify(Object.fromEntries(plan.siteUrls)),
    JSON.stringify(plan.slugs),
  ]);
  return plan.published.length;
}

/** Puts projects and their members into the next generation. Resolves to how many blogs were put in: none. */
export function putProjectEvents(
  pool: Pool,
  events: readonly ReceivedEvent<ProjectEvent>[],
  now: Date,
): Promise<number> {
  return inTransaction(pool, 'BEGIN', (client) => putProjects(client, events, now));
}

async function putProjects(
  client: PoolClient,
  events: readonly ReceivedEvent<ProjectEvent>[],
  now: Date,
): Promise<number> {
  const newest = newestOfEach(events);
  const saved = await client.query<{ id: string }>(
    `INSERT INTO project_next (id, version, name, site_url, event_number, deleted_at, account_id, suspended, authors)
     SELECT id, 0, name, site_url, event_number, CASE WHEN deleted THEN $6::timestamptz END, account_id, suspended,
       authors::jsonb
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::boolean[], $7::uuid[], $8::text[], $9::text[])
       AS row (id, name, site_url, event_number, deleted, account_id, suspended, authors) ORDER BY id
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, site_url = excluded.site_url,
       event_number = excluded.event_number, deleted_at = excluded.deleted_at, account_id = excluded.account_id,
       suspended = excluded.suspended, authors = excluded.authors
     WHERE project_next.event_number < excluded.event_number
     RETURNING id`,
    [
      newest.map((event) => event.project_id),
      newest.map((event) => (event.event === 'project.saved' ? storableText(event.name) : null)),
      newest.map((event) => (event.event === 'project.saved' ? event.site_url : null)),
      newest.map((event) => event.project_event_number),
      newest.map((event) => event.event === 'project.deleted'),
      now,
      // The present table knows better which of several owners was first: the switch takes that one over.
      newest.map((event) => (event.event === 'project.saved' ? firstOwnerOf(event.members) : null)),
      newest.map((event) => (event.event === 'project.saved' ? (event.suspended ?? null) : null)),
      newest.map((event) => (event.event === 'project.saved' ? authorsJson(event.authors?.map(toStoredAuthor)) : null)),
    ],
  );
  const changed = new Set(saved.rows.map(({ id }) => id));
  await client.query('DELETE FROM project_member_next WHERE project_id = ANY ($1::uuid[])', [[...changed]]);
  const members = newest.flatMap((event) =>
    event.event === 'project.saved' && changed.has(event.project_id)
      ? event.members.map((member) => ({ ...member, project_id: event.project_id }))
      : [],
  );
  await client.query(
    `INSERT INTO project_member_next (project_id, account_id, role)
     SELECT project_id, account_id, role
     FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS member (project_id, account_id, role) ON CONFLICT DO NOTHING`,
    [
      members.map((member) => member.project_id),
      members.map((member) => member.account_id),
      members.map((member) => member.role),
    ],
  );
  return 0;
}

function firstOwnerOf(members: readonly { readonly account_id: string; readonly role: string }[]): string | null {
  return members.find(({ role }) => role === 'owner')?.account_id ?? null;
}
