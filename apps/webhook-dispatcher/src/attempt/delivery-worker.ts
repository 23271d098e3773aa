import { createLanes, type FreeSlots, type TenantSlots, type BodyBudget } from '../concurrency/slots.ts';
import {
  type ClaimedJobs,
  type LeasedJob,
  type LeaseRunner,
  type LeaseRunnerOptions,
  type RunningJob,
  startLeaseRunner,
} from '../concurrency/lease-runner.ts';
import type { Lease } from '../http/exchange.ts';
import type { ClaimedDelivery, LeasedDelivery } from '../queue/claim-statements.ts';
import type { ClaimOptions, ClaimedBatch } from '../queue/claim-store.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';
import { releaseDelivery } from './deliver.ts';

/** Workers claim at least so often, woken or not, in milliseconds. */
export const POLL_INTERVAL_MS = 2_000;

export interface WorkerOptions extends Pick<
  LeaseRunnerOptions,
  'reclaim' | 'leaseMs' | 'pollIntervalMs' | 'stuckAfterMs' | 'logger'
> {
  readonly store: Pick<DeliveryStore, 'claim' | 'renew' | 'deleteLeases' | 'release'>;
  /** Makes one attempt, or gives the delivery back; see `deliver`. Resolves as the runner's jobs do. */
  readonly deliver: (claimed: ClaimedDelivery, lease: Lease) => Promise<unknown>;
  /** Ends a delivery that can never be sent. */
  readonly endUnsendable: (held: LeasedDelivery, detail: string, lease: Lease) => Promise<unknown>;
  /** Projects whose bodies did not fit get no more than fits. */
  readonly budget: Pick<BodyBudget, 'freeSlots'>;
  /** Most concurrent attempts that are not slow; see `slots.ts`. */
  readonly concurrency: number;
  /** Most of them of one project. */
  readonly perProject: number;
  /** Most concurrent attempts to one receiver, slow or not. */
  readonly perIntegration: number;
  /** When an attempt counts as slow, in milliseconds; left to the lanes when left out. */
  readonly slowAfterMs?: number;
}

/** Delivers what is due; see {@link startLeaseRunner}. */
export interface Worker extends Pick<
  LeaseRunner,
  'wake' | 'countRunning' | 'countAtBusiest' | 'checkProgress' | 'stopClaiming' | 'stop'
> {
  /** How many attempts are slow. */
  readonly countSlow: () => number;
}

/** What limits deliveries: slots of projects and receivers, and room for bodies. The rest is the lease runner's. */
export function startWorker(options: WorkerOptions): Worker {
  const { store, deliver, endUnsendable, budget, perIntegration, leaseMs, logger } = options;
  const lanes = createLanes({ ...options, perTenant: options.perProject });

  /** The slots that are left at the receivers that have running attempts. */
  const slotsAtReceivers = (running: readonly RunningJob[]): ReadonlyMap<string, number> => {
    const counts = Map.groupBy(running, ({ receiverId }) => receiverId);
    return new Map([...counts].map(([id, jobs]) => [id, Math.max(0, perIntegration - jobs.length)]));
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
      const { mayHaveMore, leavesSome, nextDueInMs, ...taken } = await store.claim(claimOptions(free, running));
      return { jobs: jobsOf(taken), mayHaveMore, leavesSome, nextDueInMs };
    },
    // The deliveries of one claim share a lease.
    renew: (jobs) => store.renew([...new Set(jobs.map(({ leaseToken }) => leaseToken))], leaseMs),
    deleteLeases: (tokens) => store.deleteLeases(tokens),
  });

  return { ...runner, countSlow: () => lanes.slow() };
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
