import { randomUUIDv7 } from 'node:crypto';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import type { Prisma } from '../generated/prisma/client.ts';
import { planRepeats, repeatWithLinksOfToday } from '../link-healing/repeat-event-store.ts';
import type { Database } from '../database/open-database.ts';
import type { ShownDelivery } from '../delivery-log/delivery-log-store.ts';
import { lockBlogs } from '../queue/queue-transaction-store.ts';
import { judgeRedelivery, type RedeliveryRefusal } from './judge-redelivery.ts';

/** Most deliveries that one call creates. */
export const MAX_REDELIVERIES = 1_000;
/** Most blogs that are locked, and decided about, in one transaction. */
const BATCH = 200;

export interface RefusedRedelivery {
  readonly deliveryId: string;
  readonly blogId: string;
  readonly reason: RedeliveryRefusal;
}

export interface Redeliveries {
  readonly created: readonly { readonly id: string; readonly blogId: string }[];
  readonly refused: readonly RefusedRedelivery[];
  /** Whether there were more than one call creates. */
  readonly more: boolean;
}

interface RequestRow {
  id: string;
  position: bigint;
  kind: ShownDelivery['kind'];
  event: string;
  project_id: string;
  integration_id: string;
  shown_url: string;
  is_active: boolean;
  is_under_way: boolean;
  newest_id: string | null;
  newest_event: VisibilityEvent['event'] | null;
  newest_number: number;
  publish_id: string | null;
  traceparent: string | null;
}

/** A request that was allowed; so it is of a blog, whose newest event is known. */
interface AllowedRequest extends RequestRow {
  readonly blog_id: string;
  readonly newId: string;
  readonly newest_id: string;
  readonly newest_event: VisibilityEvent['event'];
}

export type RedeliveryStore = ReturnType<typeof createRedeliveryStore>;

/** Plans deliveries of what is published now, because an owner asked for them (ADR 21). */
export function createRedeliveryStore(database: Database) {
  return {
    /** Repeats one delivery. */
    async redeliver(
      projectId: string,
      deliveryId: string,
    ): Promise<
      | { readonly kind: 'created'; readonly id: string }
      | { readonly kind: 'refused'; readonly reason: RedeliveryRefusal }
      | { readonly kind: 'unknown' }
    > {
      const found = await database.delivery.findFirst({
        where: { id: deliveryId, projectId },
        select: { blogId: true },
      });
      if (found === null) return { kind: 'unknown' };
      if (found.blogId === null) return { kind: 'refused', reason: 'not_of_a_blog' };
      const { created, refused } = await plan(database, [{ id: deliveryId, blogId: found.blogId }]);
      if (created[0] !== undefined) return { kind: 'created', id: created[0].id };
      // Swept between the two looks.
      return refused[0] === undefined ? { kind: 'unknown' } : { kind: 'refused', reason: refused[0].reason };
    },

    /**
     * Repeats the newest delivery of every blog to the receiver that ended as failed at `since` or later, oldest first,
     * at most {@link MAX_REDELIVERIES}. Batch by batch: what a call that fails half-way has planned stays planned.
     */
    async redeliverFailed(projectId: string, integrationId: string, since: Date): Promise<Redeliveries> {
      const created: { id: string; blogId: string }[] = [];
      const refused: RefusedRedelivery[] = [];
      for (let after = 0n; ;) {
        const limit = Math.min(BATCH, MAX_REDELIVERIES - created.length);
        const failed = await findFailed(database, { projectId, integrationId, since, after, limit: limit + 1 });
        const batch = failed.slice(0, limit);
        const planned = await plan(database, batch);
        created.push(...planned.created);
        refused.push(...planned.refused);
        if (failed.length <= limit) return { created, refused, more: false };
        if (created.length >= MAX_REDELIVERIES) return { created, refused, more: true };
        after = batch.at(-1)?.position ?? after;
      }
    },
  };
}

/**
 * Failed deliveries that are the newest of their blogs for the receiver: deliveries after a failure brought later news.
 */
async function findFailed(
  database: Database,
  of: { projectId: string; integrationId: string; since: Date; after: bigint; limit: number },
): Promise<{ id: string; blogId: string; position: bigint }[]> {
  if (of.limit <= 1) return [];
  const rows = await database.$queryRaw<{ id: string; blog_id: string; position: bigint }[]>`
    SELECT d.id, d.blog_id, d.position FROM failed_delivery f JOIN delivery d ON d.id = f.delivery_id
    WHERE f.integration_id = ${of.integrationId}::uuid AND f.failed_at >= ${of.since} AND f.position > ${of.after}
      AND d.project_id = ${of.projectId}::uuid
      AND NOT EXISTS (
        SELECT FROM delivery later
        WHERE later.integration_id = d.integration_id AND later.blog_id = d.blog_id AND later.position > d.position)
    ORDER BY d.position LIMIT ${of.limit}`;
  return rows.map(({ id, blog_id: blogId, position }) => ({ id, blogId, position }));
}

/** Decides about deliveries and plans those that may be repeated, in one transaction. */
async function plan(
  database: Database,
  asked: readonly { readonly id: string; readonly blogId: string }[],
): Promise<Pick<Redeliveries, 'created' | 'refused'>> {
  if (asked.length === 0) return { created: [], refused: [] };
  return database.$transaction(async (tx) => {
    // From here on nothing else is planned for these blogs.
    await lockBlogs(
      tx,
      asked.map(({ blogId }) => blogId),
    );
    const blogs = new Map(asked.map(({ id, blogId }) => [id, blogId]));
    const allowed: AllowedRequest[] = [];
    const refused: RefusedRedelivery[] = [];
    for (const row of await loadRequests(tx, [...blogs.keys()])) {
      const blogId = blogs.get(row.id) ?? '';
      const { kind, event, is_active: isActive, is_under_way: isUnderWay, newest_event: newest, newest_id } = row;
      const reason = judgeRedelivery({ kind, event, isActive, isUnderWay, newest });
      if (reason !== null) refused.push({ deliveryId: row.id, blogId, reason });
      else if (newest_id !== null && newest !== null) {
        allowed.push({ ...row, newest_id, newest_event: newest, blog_id: blogId, newId: randomUUIDv7() });
      }
    }
    await insert(tx, allowed);
    return { created: allowed.map(({ newId, blog_id: blogId }) => ({ id: newId, blogId })), refused };
  });
}

/** FOR SHARE: an integration that is being deleted is either seen as such, or ends what is planned here. */
function loadRequests(tx: Prisma.TransactionClient, ids: readonly string[]): Promise<RequestRow[]> {
  return tx.$queryRaw<RequestRow[]>`
    SELECT d.id, d.position, d.kind, d.event, d.project_id, d.integration_id, i.shown_url,
      i.active AND i.deleted_at IS NULL AS is_active,
      EXISTS (
        SELECT FROM delivery_queue q WHERE q.blog_id = d.blog_id AND q.integration_id = d.integration_id
      ) AS is_under_way,
      n.id AS newest_id, n.data ->> 'event' AS newest_event, n.blog_event_number AS newest_number,
      (n.data ->> 'publish_id')::uuid AS publish_id, n.traceparent
    FROM delivery d
    JOIN integration i ON i.id = d.integration_id
    LEFT JOIN lifecycle_event n ON n.blog_id = d.blog_id AND n.newest AND n.data IS NOT NULL
    WHERE d.id = ANY (${[...ids]}::uuid[])
    ORDER BY i.position, d.position
    FOR SHARE OF i`;
}

async function insert(tx: Prisma.TransactionClient, allowed: readonly AllowedRequest[]): Promise<void> {
  if (allowed.length === 0) return;
  // Where it is known what is published, the links lead there, and not to what was published with the post.
  const repeated = await repeatWithLinksOfToday(
    tx,
    allowed.map(({ blog_id: blogId }) => blogId),
  );
  const repeats = allowed.map(({ newId, newest_id, newest_event, newest_number, ...row }) => ({
    id: newId,
    lifecycle_event_id: repeated.get(row.blog_id) ?? newest_id,
    event: newest_event,
    integration_id: row.integration_id,
    shown_url: row.shown_url,
    project_id: row.project_id,
    blog_id: row.blog_id,
    blog_event_number: newest_number,
    publish_id: row.publish_id,
    traceparent: row.traceparent,
  }));
  await planRepeats(tx, 'redelivery', repeats);
}
