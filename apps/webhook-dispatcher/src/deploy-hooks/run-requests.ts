import { type Logger, repeat } from '@blog-content/service-runtime';
import { createLanes } from '../concurrency/slots.ts';
import { type LeaseRunner, type LeasedJob, startLeaseRunner } from '../concurrency/lease-runner.ts';
import type { ChangeStore } from './changes/change-store.ts';
import type { ClaimedRequest, LeasedRequest, RequestStore } from './request-store.ts';
import type { WindowRules } from './changes/window.ts';

export interface RunnerOptions {
  readonly changes: Pick<ChangeStore, 'joinOverdue'>;
  readonly requests: Pick<RequestStore, 'claim' | 'renew' | 'reclaimExpired'>;
  /** Makes one attempt; see `makeRequest`. */
  readonly make: (claimed: ClaimedRequest, interrupted: AbortSignal) => Promise<unknown>;
  /** Records the attempt of a process that died as interrupted. */
  readonly recordInterrupted: (held: LeasedRequest) => Promise<unknown>;
  readonly rules: WindowRules;
  /** Most attempts at once that are not slow; see `lanes.ts`. */
  readonly concurrency: number;
  /** Most of them for the projects of one account. */
  readonly perAccount: number;
  readonly leaseMs: number;
  readonly logger: Logger;
}

/** Windows last for seconds: looking this often is soon enough. */
const POLL_INTERVAL_MS = 250;
/** What is overdue has waited for many seconds. */
const OVERDUE_INTERVAL_MS = 1_000;
const MAX_RECLAIMED_AT_ONCE = 50;

/**
 * Makes the requests that are due, in slots of their own, so that deploy hooks and deliveries do not wait for each
 * other. Changes that are overdue join their windows, whether a slot is free or not. The rest is the lease runner's.
 */
export function runRequests(options: RunnerOptions): LeaseRunner {
  const { changes, requests, make, recordInterrupted, rules, perAccount, leaseMs, logger } = options;

  const joinOverdue = async () => {
    for (const { projectId, requestId, count } of await changes.joinOverdue(rules)) {
      logger.warn('deploy_hook.not_served', {
        warning: 'The public API did not confirm these changes in time. The deploy hook is called anyway.',
        project_id: projectId,
        request_id: requestId,
        changes: count,
      });
    }
  };

  const jobOf = (claimed: ClaimedRequest): LeasedJob => ({
    id: claimed.id,
    leaseToken: claimed.leaseToken,
    tenantId: claimed.accountId,
    receiverId: claimed.projectId,
    logFields: { request_id: claimed.id, attempt: claimed.attempt },
    async run(lease) {
      // Somebody else may have reclaimed it by now, as interrupted.
      if (lease.isHeld()) await make(claimed, lease.interrupted);
      else logger.warn('deploy_hook.lease_lost', { request_id: claimed.id });
    },
  });

  const overdue = repeat('deploy_hook.overdue', OVERDUE_INTERVAL_MS, joinOverdue, logger);
  const runner = startLeaseRunner({
    ...options,
    name: 'deploy_hook',
    slots: createLanes({ ...options, perTenant: perAccount }),
    pollIntervalMs: POLL_INTERVAL_MS,
    async claim(free) {
      const claimed = await requests.claim(free, leaseMs);
      return { jobs: claimed.map(jobOf), mayHaveMore: false, nextDueInMs: null };
    },
    renew: (jobs) =>
      requests.renew(
        jobs.map(({ leaseToken }) => leaseToken),
        leaseMs,
      ),
    async reclaim() {
      for (const held of await requests.reclaimExpired(MAX_RECLAIMED_AT_ONCE, leaseMs)) await recordInterrupted(held);
    },
  });

  return {
    ...runner,
    async stop(graceMs) {
      await Promise.all([overdue.stop(), runner.stop(graceMs)]);
    },
  };
}
