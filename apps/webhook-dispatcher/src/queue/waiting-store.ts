import { toOutboxRow } from '@blog-content/event-log';
import type { FailureReason } from '../http/judge.ts';
import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { findRetired, forgetPartOf } from '../integrations/retire-integrations-store.ts';
import { type FinishedDelivery, finishedEnvelope, insertOutbox, notifyDue } from './queue-transaction-store.ts';

/** How a delivery that was waiting ends without another attempt. */
export interface Ending {
  readonly outcome: 'failed' | 'superseded';
  readonly reason: FailureReason | null;
  readonly detail: string;
}

const INTEGRATION_DELETED: Ending = {
  outcome: 'failed',
  reason: 'integration_deleted',
  detail: 'The integration was deleted before the delivery succeeded.',
};

const PROJECT_DELETED: Ending = {
  outcome: 'failed',
  reason: 'project_deleted',
  detail: 'The project was deleted before the delivery succeeded.',
};

const SUPERSEDED: Ending = {
  outcome: 'superseded',
  reason: null,
  detail: 'A newer event of the post replaced this delivery.',
};

/** Most deliveries to a receiver that is gone that end in one transaction. */
const MAX_ENDED_AT_ONCE = 500;

interface FinishedRow extends FinishedDelivery {
  readonly statusCode: number | null;
  readonly finishedAt: Date;
}

/**
 * Ends the waiting deliveries that `condition` selects in the queue (alias `q`), with their outcome events. Returns
 * their ids.
 */
async function endWaiting(
  tx: Prisma.TransactionClient,
  condition: Prisma.Sql,
  ending: Ending,
): Promise<readonly string[]> {
  const rows = await tx.$queryRaw<FinishedRow[]>`
    WITH waiting AS MATERIALIZED (
      SELECT d.id, e.traceparent
      FROM delivery_queue q JOIN delivery d ON d.id = q.delivery_id
        JOIN lifecycle_event e ON e.id = d.lifecycle_event_id
      WHERE ${condition} AND d.status = 'pending'
      ORDER BY d.id FOR NO KEY UPDATE OF d
    ),
    ended AS (
      UPDATE delivery d
      SET status = ${ending.outcome}, reason = ${ending.reason}, detail = ${ending.detail}, finished_at = now()
      FROM waiting w WHERE d.id = w.id
      RETURNING d.id, d.position, d.kind, d.lifecycle_event_id, d.integration_id, d.project_id, d.blog_id, d.publish_id,
        d.attempts, d.status, d.status_code, d.finished_at, w.traceparent
    ),
    taken_off AS (DELETE FROM delivery_queue USING ended WHERE delivery_queue.position = ended.position),
    failed AS (
      INSERT INTO failed_delivery (delivery_id, position, integration_id, failed_at)
      SELECT id, position, integration_id, finished_at FROM ended WHERE status = 'failed'
      ON CONFLICT DO NOTHING
    )
    SELECT id, kind, lifecycle_event_id AS "lifecycleEventId", integration_id AS "integrationId",
      project_id AS "projectId", blog_id AS "blogId", publish_id AS "publishId", attempts AS attempt,
      status_code AS "statusCode", finished_at AS "finishedAt", traceparent
    FROM ended ORDER BY position`;
  if (rows.length > 0) {
    await insertOutbox(
      tx,
      rows.map((row) => toOutboxRow(finishedEnvelope(row, { ...row, ...ending, liveUrl: null, externalId: null }))),
    );
    // A successor of the same blog at the same receiver may have been waiting behind these.
    await notifyDue(tx);
  }
  return rows.map(({ id }) => id);
}

const isOneOf = (ids: readonly string[]) =>
  Prisma.sql`q.position = ANY (ARRAY(SELECT position FROM delivery WHERE id = ANY (${[...ids]}::uuid[])))`;

/** Ends those of these deliveries that wait, in the caller's transaction. Returns their ids. */
export function endDeliveries(
  tx: Prisma.TransactionClient,
  ids: readonly string[],
  ending: Ending,
): Promise<readonly string[]> {
  return endWaiting(tx, isOneOf(ids), ending);
}

/**
 * Ends those of these deliveries, or of the deliveries of these blogs, that wait for a retry, or were planned because a
 * link changed, and whose blog has a newer event planned for the same receiver: they would bring old news (contract
 * §3.1). Not a failure. In the caller's transaction; returns their ids.
 */
export function supersedeWaiting(
  tx: Prisma.TransactionClient,
  of: { readonly ids: readonly string[] } | { readonly blogIds: readonly string[] },
): Promise<readonly string[]> {
  const condition = 'ids' in of ? isOneOf(of.ids) : Prisma.sql`q.blog_id = ANY (${[...of.blogIds]}::uuid[])`;
  const isSuperseded = Prisma.sql`(q.is_retry OR q.kind = 'link_changed') AND EXISTS (
    SELECT FROM delivery newer
    WHERE newer.integration_id = q.integration_id AND newer.blog_id = q.blog_id
      AND newer.blog_event_number > q.blog_event_number)`;
  return endWaiting(tx, Prisma.sql`${condition} AND ${isSuperseded}`, SUPERSEDED);
}

/**
 * How deliveries to those of these integrations end that are gone, where they would otherwise wait again. They stay as
 * they are until the caller's transaction ends, so that a transaction that deletes one then finds its deliveries
 * waiting.
 */
export async function endingsOfGone(
  tx: Prisma.TransactionClient,
  integrationIds: readonly string[],
): Promise<ReadonlyMap<string, Ending>> {
  const integrations = await tx.$queryRaw<{ id: string; project_id: string; is_gone: boolean }[]>`
    SELECT id::text, project_id::text, deleted_at IS NOT NULL AS is_gone FROM integration
    WHERE id = ANY (${[...integrationIds]}::uuid[]) ORDER BY position FOR SHARE`;
  const gone = integrations.filter(({ is_gone: isGone }) => isGone);
  if (gone.length === 0) return new Map();
  const projects = await tx.project.findMany({
    where: { id: { in: gone.map(({ project_id }) => project_id) }, deleted: true },
    select: { id: true },
  });
  const deleted = new Set(projects.map(({ id }) => id));
  return new Map(
    gone.map(({ id, project_id }) => [id, deleted.has(project_id) ? PROJECT_DELETED : INTEGRATION_DELETED]),
  );
}

/**
 * Ends a part of what waits for an integration that is retired, in the caller's transaction: in the order in which it
 * would have been due. Returns how many deliveries that were.
 */
export async function endSomeOfRetired(tx: Prisma.TransactionClient, integrationId: string): Promise<number> {
  const ending = (await endingsOfGone(tx, [integrationId])).get(integrationId);
  if (ending === undefined) return 0;
  const waiting = Prisma.sql`q.position IN (
    SELECT w.position FROM delivery_queue w
    WHERE w.integration_id = ${integrationId}::uuid
      AND (SELECT d.status FROM delivery d WHERE d.id = w.delivery_id) = 'pending'
    ORDER BY w.due_at, w.position + 0 LIMIT ${MAX_ENDED_AT_ONCE})`;
  return (await endWaiting(tx, waiting, ending)).length;
}

/**
 * Ends what waits for retired integrations, and forgets what systems have of them, until nothing is left: a part of
 * each in turn, so that none waits for all of another's. Nothing is claimed for them until then.
 */
export async function clearRetiredIntegrations(database: Database, stopping?: AbortSignal): Promise<void> {
  let cleared: number;
  do {
    cleared = 0;
    for (const id of await findRetired(database)) {
      if (stopping?.aborted === true) return;
      cleared += await database.$transaction(
        async (tx) => (await endSomeOfRetired(tx, id)) + (await forgetPartOf(tx, id)),
      );
    }
  } while (cleared > 0);
}
