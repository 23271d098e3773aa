import type {
  BlogServedEvent,
  DeliveryEvent,
  DeliveryFinishedEvent,
  ProjectNews,
  publishListQuery,
} from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { Publish, PublishDelivery } from '../../generated/prisma/client.ts';
import type { EmailQueue } from '../../email/email-queue-store.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import {
  addProjectEvents,
  insertProjectEvents,
  type EventOfProject,
} from '../../project-events/project-event-store.ts';
import type { BlogRow } from '../blog-row.ts';
import type { LivePost } from '../writing/show-blog.ts';
import {
  applyEnds,
  applyPlans,
  applyRecoveries,
  applyRetries,
  applyServedEvents,
  type Finished,
  inRounds,
  runTogether,
  type Planned,
  type RetryPlanned,
  type Success,
} from './outcome-changes-store.ts';

export type PublishWithDeliveries = Publish & {
  readonly deliveries: readonly PublishDelivery[];
  readonly blog: Pick<BlogRow, 'title' | 'state' | 'revision' | 'extra'>;
};

/** What is read with a publish. */
export const WITH_DELIVERIES = {
  deliveries: { orderBy: { deliveryId: 'asc' } },
  blog: { select: { title: true, state: true, revision: true, extra: true } },
} as const;

const FAILED = { status: 'failed', recoveredAt: null };
const PENDING = { OR: [{ plannedAt: null }, { deliveries: { some: { status: 'pending' } } }] };
/** A failed delivery counts until its receiver has got the post after all. */
const WITH_OUTCOME = {
  failed: { deliveries: { some: FAILED } },
  pending: PENDING,
  delivered: { deliveries: { none: FAILED }, NOT: PENDING },
} as const;

export type DeliveryOutcomeStore = ReturnType<typeof createDeliveryOutcomeStore>;

/** What came of publishes: at their receivers, as the dispatcher's events say, and at the read API. */
export function createDeliveryOutcomeStore(
  database: Database | Transaction,
  clock: () => Date,
  emails: Pick<EmailQueue, 'notifyOwners' | 'forgetReceiver'>,
) {
  return {
    /**
     * Applies events. Idempotent, in any order of events. A finished delivery stays as it
     * ended; only an interrupted one may still be corrected by a later event.
     */
    async apply(events: readonly DeliveryEvent[]): Promise<void> {
      const statements = [
        applyPlans(events.filter(isPlan), clock()),
        ...inRounds(events.filter(isResult)).map((round) => [
          ...applyRetries(round.filter(isRetry)),
          ...applyEnds(round.filter(isEnd)),
        ]),
      ].filter((changes) => changes.length > 0);
      const news = events.flatMap(changesOf);
      const successes = events.filter(isSuccess).flatMap(successOf);
      const [changes = [], ...others] = statements;
      // As it mostly is: one statement for all. What a crash leaves undone is done when the events come again.
      if (others.length === 0 && events.every((event) => isPlan(event) || isResult(event))) {
        const recovers = await runTogether(database, [...changes, insertProjectEvents(news)], successes);
        if (recovers || (successes.length > 0 && events.some(isFailure))) await applyRecoveries(database, successes);
        return;
      }
      await database.$transaction(async (tx) => {
        for (const each of statements) await runTogether(tx, each, []);
        if (successes.length > 0) await applyRecoveries(tx, successes);
        for (const event of events) {
          if (event.event === 'integration.failing') {
            const { event: _event, reason: _reason, ...failing } = event;
            await emails.notifyOwners(tx, { kind: 'receiver_failing', ...failing });
          } else if (event.event === 'integration.recovered') await emails.forgetReceiver(tx, event.integration_id);
          else if (event.event === 'delivery.finished') await applyRedelivery(tx, event);
        }
        await addProjectEvents(tx, news);
      });
    },

    /** Notes that the read API serves what these events name, and everything older of the same blogs. Idempotent. */
    applyServed: (events: readonly BlogServedEvent[]): Promise<void> => applyServedEvents(database, events),

    find: (projectId: string, publishId: string): Promise<PublishWithDeliveries | null> =>
      database.publish.findFirst({ where: { id: publishId, projectId }, include: WITH_DELIVERIES }),

    /** A project's publishes, newest first, one more than the page holds. */
    list: (
      projectId: string,
      { from, limit }: Page,
      { blog_id: blogId, trigger, scheduled, outcome }: z.infer<typeof publishListQuery>,
    ): Promise<PublishWithDeliveries[]> =>
      database.publish.findMany({
        where: {
          projectId,
          ...(blogId !== undefined && { blogId }),
          ...(trigger !== undefined && { trigger }),
          ...(scheduled !== undefined && { scheduledFor: scheduled === 'true' ? { not: null } : null }),
          ...(outcome !== undefined && WITH_OUTCOME[outcome]),
          ...(from !== null && { position: { lt: BigInt(from) } }),
        },
        orderBy: { position: 'desc' },
        take: limit + 1,
        include: WITH_DELIVERIES,
      }),

    /** Where receivers have put a blog in its current publication: their latest answers, by receiver. */
    async livePosts({ id, publicationBeganAt }: Pick<BlogRow, 'id' | 'publicationBeganAt'>): Promise<LivePost[]> {
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

/** The changes that those who watch the project are told of. */
function changesOf(event: DeliveryEvent): EventOfProject[] {
  const { project_id: projectId, ...change } = event;
  const all = (data: readonly ProjectNews[]) => data.map((news) => ({ projectId, data: news }));
  if (change.event === 'integration.failing' || change.event === 'integration.recovered') {
    const status = change.event === 'integration.failing' ? 'failing' : 'recovered';
    return all([{ event: 'integration.changed', integration_id: change.integration_id, status }]);
  }
  const about = { publish_id: change.publish_id, blog_id: change.blog_id };
  if (change.event === 'deliveries.planned') {
    const planned = change.deliveries.map(
      ({ delivery_id, integration_id }) =>
        ({
          event: 'delivery.changed',
          delivery_id,
          integration_id,
          ...about,
          status: 'pending',
        }) as const,
    );
    const { publish_id: publishId, blog_id: blogId } = change;
    if (publishId === null) return all(planned);
    return all([{ event: 'publish.changed', publish_id: publishId, blog_id: blogId, status: 'planned' }, ...planned]);
  }
  const status = change.event === 'delivery.finished' ? change.outcome : 'pending';
  const { delivery_id, integration_id } = change;
  return all([{ event: 'delivery.changed', delivery_id, integration_id, ...about, status }]);
}

const isPlan = (event: DeliveryEvent): event is Planned =>
  event.event === 'deliveries.planned' && event.publish_id !== null;
const isRetry = (event: DeliveryEvent): event is RetryPlanned =>
  event.event === 'delivery.retry_planned' && event.publish_id !== null;
const isEnd = (event: DeliveryEvent): event is Finished =>
  event.event === 'delivery.finished' && event.publish_id !== null && redeliveredBy(event) === null;
const isResult = (event: DeliveryEvent): event is RetryPlanned | Finished => isRetry(event) || isEnd(event);

/** The publish that this sends once more; null for a delivery of its own. */
const redeliveredBy = (event: DeliveryFinishedEvent): string | null => event.redelivered_publish_id ?? null;

const isSuccess = (event: DeliveryEvent): event is DeliveryFinishedEvent =>
  event.event === 'delivery.finished' && event.outcome === 'succeeded';

const isFailure = (event: DeliveryEvent): boolean => event.event === 'delivery.finished' && event.outcome === 'failed';

/** The publish whose content a delivery brought, if it brought any. */
function successOf(event: DeliveryFinishedEvent): Success[] {
  const publishId = event.publish_id ?? redeliveredBy(event);
  const { integration_id: integrationId, finished_at: finishedAt } = event;
  return publishId === null ? [] : [{ publishId, integrationId, finishedAt }];
}

/** A redelivery does not change how its publish ended. It updates where the receiver now has the post. */
async function applyRedelivery(tx: Transaction, event: DeliveryFinishedEvent): Promise<void> {
  const publishId = redeliveredBy(event);
  const { integration_id: integrationId, live_url: liveUrl, external_id: externalId } = event;
  if (publishId === null || (liveUrl === null && externalId === null)) return;
  await tx.publishDelivery.updateMany({
    where: { publishId, integrationId },
    data: { ...(liveUrl !== null && { liveUrl }), ...(externalId !== null && { externalId }) },
  });
}
