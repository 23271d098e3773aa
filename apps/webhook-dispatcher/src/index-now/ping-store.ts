import type { VisibilityEvent } from '@blog-content/payload-schemas';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { changedAddresses, type KnownBlog } from './changed-addresses.ts';

/** Most changed URLs of a project that wait. The protocol takes 10,000 in a ping. */
export const MAX_WAITING_ADDRESSES = 1_000;
/** Most URLs that receivers returned for a post, newest first, that are looked through. */
const MAX_LIVE_URLS = 5;

/** A project whose changed URLs are due, claimed. */
export interface ClaimedPing {
  readonly projectId: string;
  readonly accountId: string;
  readonly key: string;
  readonly siteUrl: string;
  /** Pings that failed since the last that succeeded. */
  readonly failedInRow: number;
  /** The fencing token: recording and renewing need it. */
  readonly leaseToken: string;
}

export interface ChangedAddress {
  readonly slug: string;
  /** The event that changed it last: a newer change of the same URL is another one. */
  readonly eventId: string;
  /** Where receivers say that its post is, or was before it went. */
  readonly liveUrls: readonly string[];
}

export interface PingRecord {
  readonly status: 'accepted' | 'retry' | 'failed';
  readonly addresses: readonly ChangedAddress[];
  readonly statusCode: number | null;
  readonly detail: string | null;
  /** Until the retry, in milliseconds. */
  readonly afterMs: number;
}

export type PingStore = ReturnType<typeof createPingStore>;

const inMs = (ms: number) => Prisma.sql`now() + ${Math.round(ms)} * interval '1 millisecond'`;
const idsOf = (addresses: readonly ChangedAddress[]) =>
  JSON.stringify(addresses.map(({ slug, eventId }) => ({ slug, event_id: eventId })));
const liveUrlsOf = (blogId: Prisma.Sql, projectId: Prisma.Sql) => Prisma.sql`ARRAY(
  SELECT r.live_url FROM receiver_blog r JOIN integration n ON n.id = r.integration_id AND n.deleted_at IS NULL
  WHERE r.blog_id = ${blogId} AND n.project_id = ${projectId} AND r.published AND r.live_url IS NOT NULL
  ORDER BY r.position DESC LIMIT ${MAX_LIVE_URLS})`;

/**
 * Changed URLs and their pings, one at a time of each project. Every write locks its projects first, in the order of
 * their ids, so that none waits for another in a circle.
 *
 * @param delayMs how long after a URL became ready its ping is due, in milliseconds
 */
export function createPingStore(database: Database, delayMs: number) {
  /** Makes the URLs (alias `a`) of the projects (alias `i`) ready. Their ping is due after the delay, or as it was. */
  const markReady = (ofProjects: Prisma.Sql, isReady: Prisma.Sql) => database.$executeRaw`
    WITH locked AS MATERIALIZED (
      SELECT i.project_id FROM index_now i WHERE i.enabled AND ${ofProjects} ORDER BY i.project_id FOR NO KEY UPDATE),
    ready AS (
      UPDATE index_now_address a SET shown_at = coalesce(a.shown_at, now()) FROM locked
      WHERE a.project_id = locked.project_id AND ${isReady} RETURNING a.project_id)
    UPDATE index_now i SET ping_at = coalesce(i.ping_at, ${inMs(delayMs)})
    WHERE i.project_id IN (SELECT project_id FROM ready)`;

  return {
    /**
     * Stores which URLs these events change. Call it before deliveries are planned for them: planning stores what is
     * known of their blogs. Without a deploy hook there is nothing to wait for.
     */
    async keep(events: readonly { readonly id: string; readonly data: VisibilityEvent }[]): Promise<void> {
      const projectIds = [...new Set(events.map(({ data }) => data.project_id))];
      // Most projects have not turned it on: for them this query is all.
      const on = await database.indexNow.findMany({
        where: { projectId: { in: projectIds }, enabled: true },
        select: { projectId: true },
      });
      if (on.length === 0) return;
      const own = events.filter(({ data }) => on.some(({ projectId }) => projectId === data.project_id));
      const rows = await database.$queryRaw<(KnownBlog & { blogId: string })[]>`
        SELECT blog_id AS "blogId", blog_event_number AS number, data #>> '{revision,slug}' AS slug,
          coalesce(data #>> '{revision,noindex}' = 'true', false) AS noindex
        FROM lifecycle_event WHERE blog_id = ANY (${own.map(({ data }) => data.blog_id)}::uuid[]) AND newest`;
      const changes = changedAddresses(own, new Map(rows.map((row) => [row.blogId, row])));
      if (changes.length === 0) return;
      await database.$executeRaw`
        WITH locked AS MATERIALIZED (
          SELECT project_id FROM index_now WHERE project_id = ANY (${projectIds}::uuid[]) AND enabled
          ORDER BY project_id FOR NO KEY UPDATE)
        INSERT INTO index_now_address AS a (project_id, slug, blog_id, event_id, is_gone, is_new, live_urls)
        SELECT g."projectId", g.slug, g."blogId", g."eventId", g."isGone", false,
          CASE WHEN g."isGone" THEN ${liveUrlsOf(Prisma.sql`g."blogId"`, Prisma.sql`g."projectId"`)} ELSE '{}' END
        FROM locked JOIN jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS g ("projectId" uuid, slug text,
          "blogId" uuid, "eventId" uuid, "isGone" boolean) ON g."projectId" = locked.project_id
        WHERE (SELECT count(*) FROM index_now_address other WHERE other.project_id = locked.project_id)
          < ${MAX_WAITING_ADDRESSES}
        ON CONFLICT (project_id, slug) DO UPDATE SET blog_id = excluded.blog_id, event_id = excluded.event_id,
          is_gone = excluded.is_gone, live_urls = excluded.live_urls, shown_at = NULL
        WHERE a.event_id <> excluded.event_id`;
      await markReady(
        Prisma.sql`i.project_id = ANY (${projectIds}::uuid[])
          AND NOT EXISTS (SELECT FROM deploy_hook h WHERE h.project_id = i.project_id AND h.active)`,
        Prisma.sql`true`,
      );
    },

    /**
     * A deploy hook's request has succeeded: the URLs of its changes, and of earlier ones, are ready. Call it before
     * the success is recorded. After a crash in between, the request is repeated, and so is this.
     */
    async siteRebuilds(projectId: string, requestId: string): Promise<void> {
      await markReady(
        Prisma.sql`i.project_id = ${projectId}::uuid`,
        Prisma.sql`NOT EXISTS (
          SELECT FROM deploy_hook_change c LEFT JOIN deploy_hook_request r ON r.id = c.request_id
          WHERE c.lifecycle_event_id = a.event_id AND (r.id IS NULL
            OR r.position > (SELECT position FROM deploy_hook_request WHERE id = ${requestId}::uuid)))`,
      );
    },

    /** Claims the ping that has been due for longest. Only sites where an owner's check found the key are pinged. */
    async claim(leaseMs: number): Promise<ClaimedPing[]> {
      return database.$queryRaw<ClaimedPing[]>`
        UPDATE index_now i SET lease_token = gen_random_uuid(), lease_until = ${inMs(leaseMs)}, ping_at = NULL
        FROM project p WHERE p.id = i.project_id AND i.project_id = (
          SELECT d.project_id FROM index_now d JOIN project site ON site.id = d.project_id AND NOT site.deleted
            AND site.suspended IS NULL
          WHERE d.enabled AND d.key_seen_at IS NOT NULL AND d.key_site_url = site.site_url
            AND (d.lease_until IS NULL AND d.ping_at <= now() OR d.lease_until < now())
          ORDER BY coalesce(d.lease_until, d.ping_at) LIMIT 1 FOR NO KEY UPDATE OF d SKIP LOCKED)
        RETURNING i.project_id AS "projectId", coalesce(p.account_id, p.id) AS "accountId", i.key,
          p.site_url AS "siteUrl", i.failed_in_row AS "failedInRow", i.lease_token AS "leaseToken"`;
    },

    /** Resolves to the tokens that are still held. */
    async renew(tokens: readonly string[], leaseMs: number): Promise<ReadonlySet<string>> {
      const rows = await database.$queryRaw<{ token: string }[]>`
        UPDATE index_now SET lease_until = ${inMs(leaseMs)} WHERE project_id IN (
          SELECT project_id FROM index_now WHERE lease_token = ANY (${[...tokens]}::uuid[])
          ORDER BY project_id FOR NO KEY UPDATE)
        RETURNING lease_token AS token`;
      return new Set(rows.map(({ token }) => token));
    },

    /** The URLs that are ready, with where their posts are now. */
    ready: (projectId: string) => database.$queryRaw<ChangedAddress[]>`
      SELECT a.slug, a.event_id AS "eventId", CASE WHEN a.is_gone THEN a.live_urls
        ELSE ${liveUrlsOf(Prisma.sql`a.blog_id`, Prisma.sql`a.project_id`)} END AS "liveUrls"
      FROM index_now_address a WHERE a.project_id = ${projectId}::uuid AND a.shown_at IS NOT NULL
      ORDER BY a.shown_at, a.slug`,

    /** Forgets the URLs, except for a retry, and gives the lease back. Changes nothing once the lease was lost. */
    async record({ projectId, leaseToken }: ClaimedPing, ping: PingRecord): Promise<void> {
      const { status, addresses, statusCode, detail, afterMs } = ping;
      const isRetry = status === 'retry';
      await database.$executeRaw`
        WITH held AS MATERIALIZED (
          SELECT project_id FROM index_now
          WHERE project_id = ${projectId}::uuid AND lease_token = ${leaseToken}::uuid FOR NO KEY UPDATE),
        pinged AS (
          DELETE FROM index_now_address a
          USING held, jsonb_to_recordset(${idsOf(addresses)}::jsonb) AS g (slug text, event_id uuid)
          WHERE a.project_id = held.project_id AND a.slug = g.slug AND a.event_id = g.event_id AND NOT ${isRetry})
        UPDATE index_now i SET lease_token = NULL, lease_until = NULL, pinged_at = now(), ping_status = ${status},
          ping_addresses = ${addresses.length}, ping_code = ${statusCode}, ping_detail = ${detail},
          failed_in_row = CASE WHEN ${isRetry} THEN i.failed_in_row + 1 ELSE 0 END,
          ping_at = CASE WHEN ${isRetry} THEN ${inMs(afterMs)} ELSE i.ping_at END
        FROM held WHERE i.project_id = held.project_id`;
    },

    /** Gives the lease back: there was nothing to ping. */
    async release({ projectId, leaseToken }: ClaimedPing): Promise<void> {
      await database.$executeRaw`
        UPDATE index_now SET lease_token = NULL, lease_until = NULL
        WHERE project_id = ${projectId}::uuid AND lease_token = ${leaseToken}::uuid`;
    },

    /** URLs that wait, of all projects. */
    countWaiting: () => database.indexNowAddress.count(),
  };
}
