import type { DeliveryEvent } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { Publish, PublishDelivery } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../open-database.ts';

export type PublishWithDeliveries = Publish & { readonly deliveries: readonly PublishDelivery[] };

/** What became of publishes at their receivers, as the dispatcher tells it on `blog.deliveries`. */
export interface DeliveryOutcomeStore {
  /** Applies events in one transaction. Idempotent; a finished delivery stays as it ended, in whatever order events come. */
  apply(events: readonly DeliveryEvent[]): Promise<void>;
  find(projectId: string, publishId: string): Promise<PublishWithDeliveries | null>;
  /** A blog's publishes, newest first, one more than the page holds. */
  list(projectId: string, blogId: string, page: Page): Promise<PublishWithDeliveries[]>;
}

const DELIVERIES = { deliveries: { orderBy: { deliveryId: 'asc' } } } as const;

export function createDeliveryOutcomeStore(database: Database): DeliveryOutcomeStore {
  return {
    apply: (events) =>
      database.$transaction(async (tx) => {
        for (const event of events) await applyOne(tx, event);
      }),

    find: (projectId, publishId) =>
      database.publish.findFirst({ where: { id: publishId, projectId }, include: DELIVERIES }),

    list: (projectId, blogId, { from, limit }) =>
      database.publish.findMany({
        where: { projectId, blogId, ...(from !== null && { position: { lt: BigInt(from) } }) },
        orderBy: { position: 'desc' },
        take: limit + 1,
        include: DELIVERIES,
      }),
  };
}

async function applyOne(tx: Transaction, event: DeliveryEvent): Promise<void> {
  const publishId = event.publish_id;
  // Deliveries of an unpublish or a delete belong to no publish.
  if (publishId === null) return;
  const publish = await tx.publish.findUnique({ where: { id: publishId }, select: { id: true } });
  if (!publish) return;
  if (event.event === 'deliveries.planned') {
    await tx.publish.updateMany({ where: { id: publishId, plannedAt: null }, data: { plannedAt: new Date() } });
    for (const { delivery_id: deliveryId, integration_id: integrationId, receiver } of event.deliveries) {
      await tx.publishDelivery.upsert({
        where: { deliveryId },
        create: { deliveryId, publishId, integrationId, receiver, status: 'pending', attempts: 0 },
        // An outcome that came first did not say who the receiver is.
        update: { receiver },
      });
    }
    return;
  }
  const ended = {
    status: event.outcome,
    reason: event.reason,
    detail: event.detail,
    attempts: event.attempts,
    statusCode: event.status_code,
    liveUrl: event.live_url,
    externalId: event.external_id,
    finishedAt: new Date(event.finished_at),
  };
  const deliveryId = event.delivery_id;
  await tx.publishDelivery.upsert({
    where: { deliveryId },
    create: { deliveryId, publishId, integrationId: event.integration_id, receiver: '', ...ended },
    update: ended,
  });
}
