import type { BlogServedEvent, DeliveryEvent, ProjectNews, publishListQuery } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { Publish, PublishDelivery } from '../../generated/prisma/client.ts';
import type { EmailQueue } from '../../email/email-queue-store.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { addProjectEvents, type EventOfProject } from '../../project-events/project-event-store.ts';
import type { LivePost, LivePostStore } from '../writing/show-blog.ts';

export type PublishWithDeliveries = Publish & {
  readonly deliveries: readonly PublishDelivery[];
  readonly blog: { readonly title: string };
};

/** What came of publishes: at their receivers, as the dispatcher's events say, and at the read API. */
export interface DeliveryOutcomeStore extends LivePostStore {
  /**
   * Applies events in one transaction. Idempotent, in whatever order events come. A finished delivery stays as it
   * ended; only an interrupted one may still be corrected by a later event.
   */
  apply(events: readonly DeliveryEvent[]): Promise<void>;
  /** Notes that the read API serves what these events name, and everything older of the same blogs. Idempotent. */
  applyServed(events: readonly BlogServedEvent[]): Promise<void>;
  find(projectId: string, publishId: string): Promise<PublishWithDeliveries | null>;
  /** A project's publishes, newest first, one more than the page holds. */
  list(projectId: string, page: Page, filter: z.infer<typeof publishListQuery>): Promise<PublishWithDeliveries[]>;
}

/** What is read with a publish. */
export const WITH_DELIVERIES = {
  deliveries: { orderBy: { deliveryId: 'asc' } },
  blog: { select: { title: true } },
} as const;

export function createDeliveryOutcomeStore(
  database: Database,
  clock: () => Date,
  emails: Pick<EmailQueue, 'notifyOwners' | 'forgetReceiver'>,
): DeliveryOutcomeStore {
  return {
    apply: (events) =>
      database.$transaction(async (tx) => {
        for (const event of events) {
          if (event.event === 'integration.failing') {
            const { event: _event, reason: _reason, ...failing } = event;
            await emails.notifyOwners(tx, { kind: 'receiver_failing', ...failing });
          } else if (event.event === 'integration.recovered') await emails.forgetReceiver(tx, event.integration_id);
          else await applyOne(tx, event, clock());
        }
        await addProjectEvents(tx, events.flatMap(changesOf));
      }),

    applyServed: (events) =>
      database.$transaction(async (tx) => {
        for (const { blog_id: blogId, blog_event_number: eventNumber, served_at: servedAt } of events) {
          const served = await tx.publish.updateManyAndReturn({
            where: { blogId, eventNumber: { lte: eventNumber, gt: 0 }, servedAt: null },
            data: { servedAt: new Date(servedAt) },
            select: { id: true, projectId: true },
          });
          await addProjectEvents(
            tx,
            served.map(({ id, projectId }) => ({
              projectId,
              data: { event: 'publish.changed', publish_id: id, blog_id: blogId, status: 'served' },
            })),
          );
        }
      }),

    find: (projectId, publishId) =>
      database.publish.findFirst({ where: { id: publishId, projectId }, include: WITH_DELIVERIES }),

    list: (projectId, { from, limit }, { blog_id: blogId, trigger }) =>
      database.publish.findMany({
        where: {
          projectId,
          ...(blogId !== undefined && { blogId }),
          ...(trigger !== undefined && { trigger }),
          ...(from !== null && { position: { lt: BigInt(from) } }),
        },
        orderBy: { position: 'desc' },
        take: limit + 1,
        include: WITH_DELIVERIES,
      }),

    async livePosts({ id, publicationBeganAt }) {
      if (publicationBeganAt === null) return [];
      return database.$queryRaw<LivePost[]>`
        SELECT integration_id, max(receiver) AS receiver,
          (array_agg(live_url ORDER BY finished_at DESC) FILTER (WHERE live_url IS NOT NULL))[1] AS url,
          (array_agg(external_id ORDER BY finished_at DESC) FILTER (WHERE external_id IS NOT NULL))[1] AS external_id
        FROM publish_delivery JOIN publish ON publish.id = publish_id
        WHERE blog_id = ${id}::uuid AND requested_at >= ${publicationBeganAt}
          -- A failed one has a URL or id only from its redelivery.
          AND (status = 'succeeded' OR live_url IS NOT NULL OR external_id IS NOT NULL)
        GROUP BY integration_id ORDER BY integration_id`;
    },
  };
}

/** The others are about receivers, not about publishes. */
type EventOfDelivery = Exclude<DeliveryEvent, { event: `integration.${string}` }>;

/** What they change for who watches the project. */
function changesOf(event: DeliveryEvent): EventOfProject[] {
  const { project_id: projectId, ...change } = event;
  const all = (data: readonly ProjectNews[]) => data.map((one) => ({ projectId, data: one }));
  if (change.event === 'integration.failing' || change.event === 'integration.recovered') {
    const status = change.event === 'integration.failing' ? 'failing' : 'recovered';
    return all([{ event: 'integration.changed', integration_id: change.integration_id, status }]);
  }
  const of = { publish_id: change.publish_id, blog_id: change.blog_id };
  if (change.event === 'deliveries.planned') {
    const planned = change.deliveries.map(
      (one) =>
        ({
          event: 'delivery.changed',
          delivery_id: one.delivery_id,
          integration_id: one.integration_id,
          ...of,
          status: 'pending',
        }) as const,
    );
    const { publish_id: publishId, blog_id: blogId } = change;
    if (publishId === null) return all(planned);
    return all([{ event: 'publish.changed', publish_id: publishId, blog_id: blogId, status: 'planned' }, ...planned]);
  }
  const status = change.event === 'delivery.finished' ? change.outcome : 'pending';
  const { delivery_id, integration_id } = change;
  return all([{ event: 'delivery.changed', delivery_id, integration_id, ...of, status }]);
}

async function applyOne(tx: Transaction, event: EventOfDelivery, now: Date): Promise<void> {
  if (event.event === 'delivery.finished' && typeof event.redelivered_publish_id === 'string') {
    return applyRedelivery(tx, event.redelivered_publish_id, event);
  }
  const publishId = event.publish_id;
  // Deliveries of an unpublish or a delete belong to no publish.
  if (publishId === null) return;
  const publish = await tx.publish.findUnique({ where: { id: publishId }, select: { id: true } });
  if (!publish) return;
  switch (event.event) {
    case 'deliveries.planned':
      return applyPlan(tx, publishId, event, now);
    case 'delivery.retry_planned':
      return applyRetry(tx, publishId, event);
    case 'delivery.finished':
      return applyEnd(tx, publishId, event);
  }
}

type Of<Name extends DeliveryEvent['event']> = Extract<DeliveryEvent, { event: Name }>;

/** A redelivery does not change how its publish ended. It updates where the receiver now has the post. */
async function applyRedelivery(
  tx: Transaction,
  publishId: string,
  { integration_id: integrationId, live_url: liveUrl, external_id: externalId }: Of<'delivery.finished'>,
): Promise<void> {
  if (liveUrl === null && externalId === null) return;
  await tx.publishDelivery.updateMany({
    where: { publishId, integrationId },
    data: { ...(liveUrl !== null && { liveUrl }), ...(externalId !== null && { externalId }) },
  });
}

async function applyPlan(
  tx: Transaction,
  publishId: string,
  event: Of<'deliveries.planned'>,
  now: Date,
): Promise<void> {
  await tx.publish.updateMany({ where: { id: publishId, plannedAt: null }, data: { plannedAt: now } });
  // One that is there already is of an event that came first, which does not name the receiver.
  await tx.$executeRaw`
    INSERT INTO publish_delivery (delivery_id, publish_id, integration_id, receiver, status, attempts)
    SELECT delivery_id, ${publishId}::uuid, integration_id, receiver, 'pending', 0
    FROM jsonb_to_recordset(${JSON.stringify(event.deliveries)}::jsonb)
      AS planned (delivery_id uuid, integration_id uuid, receiver text)
    ORDER BY delivery_id
    ON CONFLICT (delivery_id) DO UPDATE SET receiver = excluded.receiver`;
}

async function applyRetry(tx: Transaction, publishId: string, event: Of<'delivery.retry_planned'>): Promise<void> {
  const { delivery_id: deliveryId, integration_id: integrationId, reason, detail, attempts } = event;
  const waiting = {
    ...{ reason, detail, attempts },
    statusCode: event.status_code,
    nextAttemptAt: new Date(event.next_attempt_at),
  };
  const newer = { deliveryId, status: 'pending', OR: [{ attempts: { lt: attempts } }, { attempts, ...INTERRUPTED }] };
  const { count } = await tx.publishDelivery.updateMany({ where: newer, data: waiting });
  if (count === 1) return;
  await tx.publishDelivery.createMany({
    data: { deliveryId, publishId, integrationId, receiver: '', status: 'pending', ...waiting },
    skipDuplicates: true,
  });
}

async function applyEnd(tx: Transaction, publishId: string, event: Of<'delivery.finished'>): Promise<void> {
  const ended = {
    status: event.outcome,
    reason: event.reason,
    detail: event.detail,
    attempts: event.attempts,
    nextAttemptAt: null,
    statusCode: event.status_code,
    liveUrl: event.live_url,
    externalId: event.external_id,
    finishedAt: new Date(event.finished_at),
  };
  const deliveryId = event.delivery_id;
  const { count } = await tx.publishDelivery.updateMany({
    where: { deliveryId, OR: [{ status: 'pending' }, INTERRUPTED] },
    data: ended,
  });
  if (count === 1) return;
  await tx.publishDelivery.createMany({
    data: { deliveryId, publishId, integrationId: event.integration_id, receiver: '', ...ended },
    skipDuplicates: true,
  });
}

/** The attempt's end was unknown; a later event may still report it. */
const INTERRUPTED = { reason: 'interrupted' } as const;
