import type { OutboxRow } from '@blog-content/event-log';
import { defineStatement } from '../database/statement.ts';
import type { Prisma } from '../generated/prisma/client.ts';

/** Wakes the workers of every replica: something may be due. */
export const DUE_CHANNEL = 'delivery_due';

/** Puts events into the outbox, in this order. */
export async function insertOutbox(tx: Prisma.TransactionClient, rows: readonly OutboxRow[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
    SELECT id, topic, type, source, key, "partitionKey", data, time, traceparent
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (id uuid, topic text, type text, source text,
      key text, "partitionKey" text, data jsonb, time timestamptz, traceparent text)`;
}

/** Wakes the workers when the transaction commits. */
export async function notifyDue(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${DUE_CHANNEL}, '')`;
}

/**
 * Lets one transaction at a time decide about a blog's deliveries: planning, the acknowledgement and the planning of a
 * retry cannot miss each other.
 *
 * Whoever locks several things locks them in this order, so that no two transactions wait for each other in a circle:
 * blogs by id (here), integrations by position, deliveries by id, then what belongs to a delivery. A transaction may
 * leave out any of them.
 */
export async function lockBlogs(tx: Prisma.TransactionClient, blogIds: readonly string[]): Promise<void> {
  await lockBlogsInOrder.runIn(tx, { blogIds: idsOf(blogIds) });
}

/** The same as a statement; the blogs come in the order of {@link idsOf}. */
export const lockBlogsInOrder = defineStatement<unknown>('lock_blogs', 'SELECT lock_blogs(:blogIds::uuid[])::text');

/** Blogs in the one order in which they are locked. */
export function idsOf(blogIds: readonly string[]): string[] {
  return [...new Set(blogIds)].sort();
}
