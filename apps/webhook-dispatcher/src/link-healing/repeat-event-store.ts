import { eventsThat, type VisibilityEvent } from '@blog-content/payload-schemas';
import type { Prisma } from '../generated/prisma/client.ts';
import { outboxRow, publishOf, insertOutbox, notifyDue } from '../queue/queue-transaction-store.ts';
import { givenDeliveries, insertDeliveries } from '../queue/planning-statements.ts';
import { repeatEvents } from './link-statements.ts';

/**
 * Repeats what is published of these blogs, with the links of today; gives the ids of the events that say so. None of a
 * blog that is not published, or in a project whose links are not known.
 */
export async function repeatWithLinksOfToday(
  tx: Prisma.TransactionClient,
  blogIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await repeatEvents.runIn(tx, { blogIds: [...new Set(blogIds)], showing: eventsThat('shows') });
  return new Map(rows.map(({ id, blog_id: blogId }) => [blogId, id]));
}

/** A blog that a receiver is sent again. */
export interface Repeat {
  /** Of the new delivery. */
  readonly id: string;
  readonly lifecycle_event_id: string;
  readonly event: VisibilityEvent['event'];
  readonly integration_id: string;
  readonly shown_url: string;
  readonly project_id: string;
  readonly blog_id: string;
  readonly blog_event_number: number;
  readonly publish_id: string | null;
  readonly traceparent: string | null;
}

/** Plans such deliveries in the caller's transaction: they are manual, never retried, and due when it commits. */
export async function planRepeats(
  tx: Prisma.TransactionClient,
  kind: 'redelivery' | 'link_changed',
  repeats: readonly Repeat[],
): Promise<void> {
  const rows = repeats.map((one) => ({ ...one, kind, trigger: 'manual', retry_manual: false, due_in_ms: 0 }));
  await insertDeliveries.runIn(tx, givenDeliveries.parameters(rows));
  await insertOutbox(
    tx,
    repeats.map((one) =>
      outboxRow(
        {
          event: 'deliveries.planned',
          project_id: one.project_id,
          blog_id: one.blog_id,
          lifecycle_event_id: one.lifecycle_event_id,
          ...publishOf({ kind, publishId: one.publish_id }),
          deliveries: [
            { delivery_id: one.id, integration_id: one.integration_id, receiver: new URL(one.shown_url).host },
          ],
        },
        one.traceparent,
      ),
    ),
  );
  await notifyDue(tx);
}
