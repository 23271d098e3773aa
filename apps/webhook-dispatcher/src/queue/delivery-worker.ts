import { setTimeout as sleep } from 'node:timers/promises';
import { createLanes, type FreeSlots, type TenantSlots } from '../concurrency/lanes.ts';
import {
  type ClaimedJobs,
  type LeasedJob,
  type LeaseRunner,
  type LeaseRunnerOptions,
  type RunningJob,
  startLeaseRunner,
} from '../concurrency/lease-runner.ts';
import type { Lease } from '../concurrency/lease.ts';
import type { BodyBudget } from '../attempt/body-budget.ts';
import type { ClaimedDelivery, LeasedDelivery } from '../attempt/claimed-delivery.ts';
import type { ClaimOptions, Acknowledgement, ClaimedBatch } from './claim-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { releaseDelivery } from '../attempt/release-delivery.ts';
import { MAX_SLOTS_OF_SILENT_RECEIVER, type SilentReceivers } from '../attempt/silent-receivers.ts';

/** Workers claim at least so often, woken or not, in milliseconds. */
export const POLL_INTERVAL_MS = 1_000;

/** Acknowledgements of more events claim nothing by themselves: there would hardly be slots for their deliveries. */
const MAX_ACKNOWLEDGED_AT_ONCE = 8;
/** An acknowledgement is recorded after so long, in milliseconds, whatever has become of its claim. */
const ACKNOWLEDGEMENT_PATIENCE_MS = 250;

export interface WorkerOptions extends Pick<
  LeaseRunnerOptions,
  'reclaim' | 'leaseMs' | 'pollIntervalMs' | 'stuckAfterMs' | 'logger'
> {
  readonly store: Pick<DeliveryStore, 'claim' | 'claimOnServed' | 'renew' | 'deleteLeases' | 'release'>;
  /** Makes one attempt, or gives the delivery back; see `deliver`. */
  readonly deliver: (claimed: ClaimedDelivery, lease: Lease) => Promise<void>;
  /** Ends a delivery that can never be sent. */
  readonly endUnsendable: (held: LeasedDelivery, detail: string, lease: Lease) => Promise<void>;
  /** Receivers that get no more than {@link MAX_SLOTS_OF_SILENT_RECEIVER}. */
  readonly silent: Pick<SilentReceivers, 'ids'>;
  /** Projects whose bodies did not fit get no more than fits. */
  readonly budget: Pick<BodyBudget, 'freeSlots'>;
  /** Most attempts at once that are not slow; see `lanes.ts`. */
  readonly concurrency: number;
  /** Most of them of one project. */
  readonly perProject: number;
  /** Most attempts at once to one receiver, slow or not. */
  readonly perIntegration: number;
  /** When an attempt counts as slow, in milliseconds; left to the lanes when left out. */
  readonly slowAfterMs?: number;
}

/** Delivers what is due; see {@link startLeaseRunner}. */
export interface Worker extends Pick<LeaseRunner, 'wake' | 'countRunning' | 'checkProgress' | 'stopClaiming' | 'stop'> {
  /**
   * These events are acknowledged: claims and delivers what waits for that, as far as there are slots and nothing else
   * is due. Never rejects, and keeps nobody waiting for long: what it has not claimed becomes due once the
   * acknowledgement is recorded.
   */
  claimOnServed(events: readonly Acknowledgement[]): Promise<void>;
  /** How many attempts are slow. */
  readonly countSlow: () => number;
}

/** What limits deliveries: slots of projects and receivers, and room for bodies. The rest is the lease runner's. */
export function startWorker(options: WorkerOptions): Worker {
  const { store, deliver, endUnsendable, silent, budget, perIntegration, leaseMs, logger } = options;
  const lanes = createLanes({ ...options, perTenant: options.perProject });

  /** The slots that are left at the receivers of which something is known. */
  const slotsAtReceivers = (running: readonly RunningJob[]): ReadonlyMap<string, number> => {
    const counts = Map.groupBy(running, ({ receiverId }) => receiverId);
    const free = new Map([...counts].map(([id, jobs]) => [id, Math.max(0, perIntegration - jobs.length)]));
    for (const id of silent.ids()) {
      free.set(id, Math.max(0, MAX_SLOTS_OF_SILENT_RECEIVER - (counts.get(id)?.length ?? 0)));
    }
    return free;
  };

  /** What projects have running, and the slots that are left to them. */
  const slotsOfProjects = ({ perTenant, tenants }: FreeSlots): ReadonlyMap<string, TenantSlots> => {
    const projects = new Map(tenants);
    for (const [projectId, fitting] of budget.freeSlots()) {
      const { running, free } = tenants.get(projectId) ?? { running: 0, free: perTenant };
      projects.set(projectId, { running, free: Math.min(free, fitting) });
    }
    return projects;
  };

  const claimOptions = (free: FreeSlots, running: readonly RunningJob[]): ClaimOptions => ({
    limit: free.inAll,
    perIntegration,
    integrations: slotsAtReceivers(running),
    perProject: free.perTenant,
    projects: slotsOfProjects(free),
    held: running.filter(({ isHeld }) => isHeld).map(({ id }) => id),
    leaseMs,
  });

  const jobsOf = ({ deliveries, unsendable, toRelease }: ClaimedBatch): LeasedJob[] => {
    if (toRelease.length > 0) {
      logger.warn('delivery.released', { deliveries: toRelease.length, reason: 'claim_unread' });
    }
    return [
      ...deliveries.map((claimed) => jobOf(claimed, (lease) => deliver(claimed, lease))),
      ...unsendable.map(({ held, detail }) => jobOf(held, (lease) => endUnsendable(held, detail, lease))),
      ...toRelease.map((held) => jobOf(held, (lease) => releaseDelivery(held, lease, store))),
    ];
  };

  const runner = startLeaseRunner({
    ...options,
    name: 'delivery',
    slots: lanes,
    async claim(free, running): Promise<ClaimedJobs> {
      const { mayHaveMore, nextDueInMs, ...taken } = await store.claim(claimOptions(free, running));
      return { jobs: jobsOf(taken), mayHaveMore, nextDueInMs };
    },
    // The deliveries of one claim share a lease.
    renew: (jobs) => store.renew([...new Set(jobs.map(({ leaseToken }) => leaseToken))], leaseMs),
    deleteLeases: (tokens) => store.deleteLeases(tokens),
  });

  return {
    ...runner,
    countSlow: () => lanes.slow(),
    async claimOnServed(events) {
      // Many are claimed with whatever else is due, and what is due already goes first.
      if (events.length > MAX_ACKNOWLEDGED_AT_ONCE || runner.isBehind()) return;
      const claimed = runner.claimBy(async (free, running) => ({
        jobs: jobsOf(await store.claimOnServed(events, claimOptions(free, running))),
        mayHaveMore: false,
        nextDueInMs: null,
      }));
      await withPatience(claimed, ACKNOWLEDGEMENT_PATIENCE_MS).catch((error: unknown) => {
        logger.warn('delivery.claim_failed', { error });
      });
    },
  };
}

function jobOf(
  { id, leaseToken, projectId, integrationId, attempt }: LeasedDelivery,
  run: LeasedJob['run'],
): LeasedJob {
  return {
    id,
    leaseToken,
    tenantId: projectId,
    receiverId: integrationId,
    run,
    logFields: { delivery_id: id, attempt },
  };
}

/** Resolves when the work does, and after `ms` milliseconds at the latest. */
async function withPatience(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  const waited = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, waited]).finally(() => over.abort());
}
