import type { BlogServedEvent, DeliveryEvent, ProjectNews } from '@blog-content/payload-schemas';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';

type Of<Name extends DeliveryEvent['event']> = Extract<DeliveryEvent, { event: Name }>;
/** An event of a publish: those of an unpublish or a delete belong to none. */
type OfPublish<Event> = Event & { readonly publish_id: string };
export type Planned = OfPublish<Of<'deliveries.planned'>>;
export type RetryPlanned = OfPublish<Of<'delivery.retry_planned'>>;
export type Finished = OfPublish<Of<'delivery.finished'>>;

/**
 * Splits events so that no part has two of one delivery, which one statement cannot change twice. Keeps their order.
 */
export function inRounds<Event extends { readonly delivery_id: string }>(events: readonly Event[]): Event[][] {
  const rounds: Event[][] = [];
  const seen = new Map<string, number>();
  for (const event of events) {
    const id = event.delivery_id.toLowerCase();
    const round = seen.get(id) ?? 0;
    seen.set(id, round + 1);
    (rounds[round] ??= []).push(event);
  }
  return rounds;
}

/** As Prisma writes all other times: it reads each as one of UTC, regardless of the database's time zone. */
const datesOf = (times: readonly string[]): Date[] => times.map((time) => new Date(time));

/**
 * Adds the deliveries that are planned. One that exists was added by an event that came first, which names no receiver.
 */
export function applyPlans(plans: readonly Planned[], now: Date): Prisma.Sql[] {
  if (plans.length === 0) return [];
  const publishIds = plans.map((plan) => plan.publish_id);
  const noted = Prisma.sql`
    UPDATE publish SET planned_at = ${now}::timestamptz
    WHERE id IN (
      SELECT id FROM publish WHERE id = ANY (${publishIds}::uuid[]) AND planned_at IS NULL
      ORDER BY id FOR NO KEY UPDATE)`;
  const all = plans.flatMap(({ publish_id, deliveries }) =>
    deliveries.map((delivery) => ({ ...delivery, publish_id })),
  );
  if (all.length === 0) return [noted];
  const planned = Prisma.sql`
    INSERT INTO publish_delivery (delivery_id, publish_id, integration_id, receiver, status, attempts)
    SELECT DISTINCT ON (delivery_id) delivery_id, publish_id, integration_id, receiver, 'pending', 0
    FROM unnest(
      ${all.map((delivery) => delivery.delivery_id)}::uuid[], ${all.map((delivery) => delivery.publish_id)}::uuid[],
      ${all.map((delivery) => delivery.integration_id)}::uuid[], ${all.map((delivery) => delivery.receiver)}::text[]
    ) AS planned (delivery_id, publish_id, integration_id, receiver)
    JOIN publish ON publish.id = planned.publish_id
    ORDER BY delivery_id
    ON CONFLICT (delivery_id) DO UPDATE SET receiver = excluded.receiver`;
  return [noted, planned];
}

/** Notes when deliveries are tried again, unless something newer is known of them. No two are of one delivery. */
export function applyRetries(retries: readonly RetryPlanned[]): Prisma.Sql[] {
  if (retries.length === 0) return [];
  const noted = Prisma.sql`
    INSERT INTO publish_delivery (
      delivery_id, publish_id, integration_id, receiver, status, reason, detail, attempts, status_code, next_attempt_at)
    SELECT delivery_id, publish_id, integration_id, '', 'pending', reason, detail, attempts, status_code,
      next_attempt_at
    FROM unnest(
      ${retries.map((retry) => retry.delivery_id)}::uuid[], ${retries.map((retry) => retry.publish_id)}::uuid[],
      ${retries.map((retry) => retry.integration_id)}::uuid[], ${retries.map((retry) => retry.reason)}::text[],
      ${retries.map((retry) => retry.detail)}::text[], ${retries.map((retry) => retry.attempts)}::int[],
      ${retries.map((retry) => retry.status_code)}::int[],
      ${datesOf(retries.map((retry) => retry.next_attempt_at))}::timestamptz[]
    ) AS retry (
      delivery_id, publish_id, integration_id, reason, detail, attempts, status_code, next_attempt_at)
    JOIN publish ON publish.id = retry.publish_id
    ORDER BY delivery_id
    ON CONFLICT (delivery_id) DO UPDATE SET
      reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts,
      status_code = excluded.status_code, next_attempt_at = excluded.next_attempt_at
    WHERE publish_delivery.status = 'pending' AND (
      publish_delivery.attempts < excluded.attempts
      OR publish_delivery.attempts = excluded.attempts AND publish_delivery.reason = 'interrupted')`;
  return [noted];
}

/**
 * Notes how deliveries have ended. One that has ended stays as it is, but for an interrupted one: the end of its
 * attempt was unknown, and a later event may still report it. No two are of one delivery.
 */
export function applyEnds(ends: readonly Finished[]): Prisma.Sql[] {
  if (ends.length === 0) return [];
  const noted = Prisma.sql`
    INSERT INTO publish_delivery (
      delivery_id, publish_id, integration_id, receiver, status, reason, detail, attempts, status_code, live_url,
      external_id, finished_at)
    SELECT delivery_id, publish_id, integration_id, '', status, reason, detail, attempts, status_code, live_url,
      external_id, finished_at
    FROM unnest(
      ${ends.map((end) => end.delivery_id)}::uuid[], ${ends.map((end) => end.publish_id)}::uuid[],
      ${ends.map((end) => end.integration_id)}::uuid[], ${ends.map((end) => end.outcome)}::text[],
      ${ends.map((end) => end.reason)}::text[], ${ends.map((end) => end.detail)}::text[],
      ${ends.map((end) => end.attempts)}::int[], ${ends.map((end) => end.status_code)}::int[],
      ${ends.map((end) => end.live_url)}::text[], ${ends.map((end) => end.external_id)}::text[],
      ${datesOf(ends.map((end) => end.finished_at))}::timestamptz[]
    ) AS ended (
      delivery_id, publish_id, integration_id, status, reason, detail, attempts, status_code, live_url, external_id,
      finished_at)
    JOIN publish ON publish.id = ended.publish_id
    ORDER BY delivery_id
    ON CONFLICT (delivery_id) DO UPDATE SET
      status = excluded.status, reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts,
      status_code = excluded.status_code, live_url = excluded.live_url, external_id = excluded.external_id,
      finished_at = excluded.finished_at, next_attempt_at = NULL
    WHERE publish_delivery.status = 'pending' OR publish_delivery.reason = 'interrupted'`;
  return [noted];
}

/** A delivery that has brought a publish to its receiver. */
export interface Success {
  readonly publishId: string;
  readonly integrationId: string;
  readonly finishedAt: string;
}

const failedOf = (successes: readonly Success[]) => Prisma.sql`
  SELECT failed.delivery_id, min(success.finished_at) AS finished_at
  FROM unnest(
    ${successes.map(({ publishId }) => publishId)}::uuid[],
    ${successes.map(({ integrationId }) => integrationId)}::uuid[],
    ${datesOf(successes.map(({ finishedAt }) => finishedAt))}::timestamptz[]
  ) AS success (publish_id, integration_id, finished_at)
  JOIN publish got ON got.id = success.publish_id
  JOIN publish missed ON missed.blog_id = got.blog_id AND missed.event_number <= got.event_number
  JOIN publish_delivery failed
    ON failed.publish_id = missed.id AND failed.integration_id = success.integration_id
  WHERE failed.status = 'failed' AND failed.recovered_at IS NULL
  GROUP BY failed.delivery_id`;

/** Notes of failed deliveries that their receivers have got the same publish, or a newer one of the blog, since. */
export async function applyRecoveries(tx: Database | Transaction, successes: readonly Success[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE publish_delivery failed SET recovered_at = recovered.finished_at FROM (${failedOf(successes)}) recovered
    WHERE failed.delivery_id = recovered.delivery_id`;
}

/**
 * Runs changes of different rows as one statement.
 *
 * @returns whether one of the successes is of a receiver that a delivery had failed at before.
 */
export async function runTogether(
  tx: Database | Transaction,
  changes: readonly Prisma.Sql[],
  successes: readonly Success[],
): Promise<boolean> {
  const parts = changes.map((change, index) => Prisma.sql`${Prisma.raw(`part_${index}`)} AS (${change})`);
  const recovers = successes.length === 0 ? Prisma.sql`false` : Prisma.sql`EXISTS (${failedOf(successes)})`;
  const [row] = await tx.$queryRaw<{ recovers: boolean }[]>`WITH ${Prisma.join(parts)} SELECT ${recovers} AS recovers`;
  return row?.recovers === true;
}

/**
 * Notes since when publishes are served: the earliest that an event says of them or of something newer of their blogs.
 * Those who watch their projects are told.
 */
export async function applyServedEvents(
  database: Database | Transaction,
  events: readonly BlogServedEvent[],
): Promise<void> {
  const told = { event: 'publish.changed', status: 'served' } satisfies Partial<ProjectNews>;
  await database.$executeRaw`
    WITH served AS (
      SELECT blog_id, event_number, served_at
      FROM unnest(
        ${events.map((event) => event.blog_id)}::uuid[], ${events.map((event) => event.blog_event_number)}::int[],
        ${datesOf(events.map((event) => event.served_at))}::timestamptz[]
      ) AS served (blog_id, event_number, served_at)
    ), newly_served AS (
      SELECT publish.id, earliest.served_at
      FROM publish CROSS JOIN LATERAL (
        SELECT min(served.served_at) AS served_at FROM served
        WHERE served.blog_id = publish.blog_id AND served.event_number >= publish.event_number
      ) AS earliest
      WHERE publish.blog_id = ANY (${events.map((event) => event.blog_id)}::uuid[]) AND publish.event_number > 0
        AND publish.served_at IS NULL AND earliest.served_at IS NOT NULL
      ORDER BY publish.id FOR NO KEY UPDATE OF publish
    ), changed AS (
      UPDATE publish SET served_at = newly_served.served_at FROM newly_served
      WHERE publish.id = newly_served.id
      RETURNING publish.id, publish.project_id, publish.blog_id
    )
    INSERT INTO project_event (xid, project_id, data)
    SELECT pg_current_xact_id()::text::bigint, project_id,
      ${JSON.stringify(told)}::jsonb || jsonb_build_object('publish_id', id, 'blog_id', blog_id)
    FROM changed`;
}
