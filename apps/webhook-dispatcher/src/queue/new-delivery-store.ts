import type { Prisma } from '../generated/prisma/client.ts';
import { rowsSql, rowValues } from '../database/rows.ts';

/** A delivery that is to be made, by the names of its columns. */
export interface NewDelivery {
  readonly id: string;
  readonly kind: 'lifecycle' | 'redelivery';
  readonly lifecycle_event_id: string;
  readonly integration_id: string;
  readonly project_id: string;
  readonly blog_id: string;
  readonly blog_event_number: number;
  readonly publish_id: string | null;
  readonly trigger: 'manual' | 'autopilot';
  readonly event: string;
  /** How long it waits for the read service's word, in milliseconds, by the database's clock, which also decides what is due. */
  readonly due_in_ms: number;
}

const COLUMNS = {
  id: 'uuid',
  kind: 'text',
  lifecycle_event_id: 'uuid',
  integration_id: 'uuid',
  project_id: 'uuid',
  blog_id: 'uuid',
  blog_event_number: 'integer',
  publish_id: 'uuid',
  trigger: 'text',
  event: 'text',
  due_in_ms: 'integer',
} as const satisfies Record<keyof NewDelivery, string>;

/**
 * Parts of a `WITH` that put deliveries into the log and into the queue, in the order they are given; their parameters are
 * those of {@link newDeliveryValues}, from `$first` on.
 */
export function newDeliverySql(first: number): string {
  return `
    new_delivery AS MATERIALIZED (
      SELECT *, nextval('delivery_position_seq') AS position FROM ${rowsSql(COLUMNS, first)}
    ),
    queued AS (
      INSERT INTO delivery_queue (position, delivery_id, integration_id, blog_id, blog_event_number, kind, due_at)
      SELECT position, id, integration_id, blog_id, blog_event_number, kind,
        date_trunc('milliseconds', now()) + due_in_ms * interval '1 millisecond'
      FROM new_delivery
    ),
    logged AS (
      INSERT INTO delivery (id, position, kind, lifecycle_event_id, integration_id, project_id, blog_id, blog_event_number,
        publish_id, trigger, event, status)
      SELECT id, position, kind, lifecycle_event_id, integration_id, project_id, blog_id, blog_event_number,
        publish_id, trigger, event, 'pending'
      FROM new_delivery
    )`;
}

export function newDeliveryValues(deliveries: readonly NewDelivery[]): Buffer[] {
  return rowValues(COLUMNS, deliveries);
}

/** Puts deliveries into the log and into the queue, in this order. */
export async function insertDeliveries(
  tx: Prisma.TransactionClient,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.$executeRawUnsafe(`WITH ${newDeliverySql(1)} SELECT 1`, ...newDeliveryValues(deliveries));
}
