import { toEnvelope, toOutboxRow } from '@blog-content/event-log';
import type { Topic } from '@blog-content/payload-schemas';
import type { Transaction } from './open-database.ts';

const SOURCE = '/content-service';

/** Puts an event into the outbox, in the transaction of its change: both happen or neither. */
export async function emit<Event extends { event: string }>(
  tx: Transaction,
  topic: Topic<Event>,
  event: Event,
  time: Date,
): Promise<void> {
  const row = toOutboxRow(toEnvelope(topic, event, { source: SOURCE, time }));
  // Only the id comes back: an event can be as large as a post.
  await tx.outboxEvent.create({ data: row, select: { id: true } });
}
