import { toEnvelope, toOutboxRow } from '@blog-content/event-log';
import type { Topic } from '@blog-content/payload-schemas';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Transaction } from './open-database.ts';

const SOURCE = '/content-service';

/** Puts an event into the outbox, in the transaction of its change: both happen or neither. */
export async function emit<Event extends { event: string }>(
  tx: Transaction,
  topic: Topic<Event>,
  event: Event,
  time: Date,
): Promise<void> {
  await tx.$executeRaw(insertEvent(topic, event, time));
}

/** The same as a part of a statement. */
export function insertEvent<Event extends { event: string }>(
  topic: Topic<Event>,
  event: Event,
  time: Date,
): Prisma.Sql {
  const row = toOutboxRow(toEnvelope(topic, event, { source: SOURCE, time }));
  return Prisma.sql`
    INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
    VALUES (${row.id}::uuid, ${row.topic}, ${row.type}, ${row.source}, ${row.key}, ${row.partitionKey},
      ${JSON.stringify(row.data)}::jsonb, ${row.time}::timestamptz, ${row.traceparent}::text)`;
}
