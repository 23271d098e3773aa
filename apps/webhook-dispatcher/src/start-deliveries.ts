import type { Metrics } from '@blog-content/service-runtime';
import { createBodyBudget, MAX_HELD_BYTES, MAX_HELD_BYTES_OF_PROJECT } from './concurrency/slots.ts';
import type { ScarceWork } from './concurrency/scarce-work.ts';
import { createDeliver, type DeliverDependencies } from './attempt/deliver.ts';
import { recordOutcome } from './attempt/record-outcome.ts';
import { createLiveLinkStore } from './attempt/live-link-store.ts';
import type { Config } from './config.ts';
import type { Database, QueuePool } from './database/open-database.ts';
import type { Kind } from './kind.ts';
import { pingDatabase } from './database/ping-database.ts';
import type { BodyCache, EventCache } from './payload/event-cache.ts';
import { createPlanStore } from './planning/plan-store.ts';
import { registerDeliveryMetrics } from './attempt/observe-attempts.ts';
import { createDeliveryStore } from './queue/delivery-store.ts';
import { POLL_INTERVAL_MS, startWorker, type Worker } from './attempt/delivery-worker.ts';
import { createReclaim } from './attempt/reclaim-expired-leases.ts';

/** What deliveries share with the rest of the service. */
export interface DeliveryParts extends Pick<
  DeliverDependencies,
  'policy' | 'random' | 'now' | 'logger' | 'ending' | 'secrets' | 'bodies' | 'userAgent' | 'send' | 'toDestination'
> {
  readonly config: Config;
  readonly database: Database;
  readonly queuePool: QueuePool;
  readonly planPool: QueuePool;
  /** Events that were planned here, which claims need not load. */
  readonly events: EventCache;
  readonly bodyCache: BodyCache;
  readonly liveLinkQueue: ScarceWork['liveLinks'];
  readonly metrics: Metrics;
}

/** The deliveries of this process, at work. */
export interface Deliveries extends Kind, Pick<Worker, 'wake'> {}

/** Starts the worker that makes the deliveries that are due, and takes back those of processes that died. */
export function startDeliveries({
  config,
  database,
  queuePool,
  planPool,
  events,
  secrets,
  bodies,
  bodyCache,
  liveLinkQueue,
  userAgent,
  send,
  toDestination,
  metrics: registry,
  ...others
}: DeliveryParts): Deliveries {
  const limits = {
    concurrency: config.DELIVERY_CONCURRENCY,
    perProject: config.DELIVERY_CONCURRENCY_PER_PROJECT,
    perIntegration: config.DELIVERY_CONCURRENCY_PER_RECEIVER,
  };
  const failingRule = { deliveries: config.FAILING_AFTER_DELIVERIES, durationMs: config.FAILING_AFTER_MS };
  const store = createDeliveryStore(database, queuePool, failingRule, events);
  const budget = createBodyBudget({ inAll: MAX_HELD_BYTES, perProject: MAX_HELD_BYTES_OF_PROJECT });
  const metrics = registerDeliveryMetrics(registry, {
    inFlight: () => worker.countRunning(),
    atBusiest: () => worker.countAtBusiest(),
    slow: () => worker.countSlow(),
    heldBytes: () => budget.heldBytes(),
    ...limits,
    measure: () => store.measure(),
  });
  const recording = { ...others, metrics };
  const dependencies = {
    ...recording,
    store,
    secrets,
    bodies,
    bodyCache,
    budget,
    liveLinks: createLiveLinkStore(queuePool, liveLinkQueue),
    userAgent,
    send,
    sendsTraceparent: config.RECEIVER_TRACEPARENT,
    toDestination,
  };
  const { logger, ending } = others;
  const worker = startWorker({
    store,
    deliver: createDeliver(dependencies),
    reclaim: createReclaim({
      store,
      ping: async () => void (await pingDatabase(database)),
      record: recording,
      leaseMs: config.LEASE_MS,
      interrupted: ending,
      logger,
    }),
    endUnsendable: async (held, detail) => {
      await recordOutcome(held, { kind: 'unsendable', detail }, 0, { ...recording, store });
    },
    budget,
    ...limits,
    leaseMs: config.LEASE_MS,
    pollIntervalMs: POLL_INTERVAL_MS,
    logger,
  });
  const plans = createPlanStore(database, planPool, events);
  return {
    ...worker,
    name: 'deliveries',
    async plan(changes, renames) {
      // Contents are rendered ahead of their deliveries.
      bodyCache.prepare(await plans.plan(changes, { servedWaitMs: config.SERVED_WAIT_MS }));
      await plans.keepSlugs(renames);
    },
    async markServed(served) {
      // The database wakes the workers of every replica.
      await plans.markServed(served);
    },
  };
}
