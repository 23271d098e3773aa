import { performance } from 'node:perf_hooks';
import { type Logger, repeat } from '@blog-content/service-runtime';
import { createLanes } from '../concurrency/lanes.ts';
import { createProgress } from '../concurrency/progress.ts';
import type { ChangeStore } from './changes/change-store.ts';
import type { ClaimedRequest, HeldRequest, RequestStore } from './request-store.ts';
import type { WindowRules } from './changes/window.ts';

export interface RunnerOptions {
  readonly changes: Pick<ChangeStore, 'joinOverdue'>;
  readonly requests: Pick<RequestStore, 'claim' | 'renew' | 'takeOverExpired' | 'purge'>;
  /** Makes one attempt; see `makeRequest`. */
  readonly make: (claimed: ClaimedRequest, interrupted: AbortSignal) => Promise<unknown>;
  /** Records the attempt of a process that died as interrupted. */
  readonly recordInterrupted: (held: HeldRequest) => Promise<unknown>;
  readonly rules: WindowRules;
  /** Most attempts at once that are not slow; see `lanes.ts`. */
  readonly concurrency: number;
  /** Most of them for the projects of one account. */
  readonly perAccount: number;
  /** When an attempt counts as slow, in milliseconds; left to the lanes when left out. */
  readonly slowAfterMs?: number;
  /** How long no round may have succeeded, in milliseconds; see `progress.ts`. */
  readonly stuckAfterMs?: number;
  readonly leaseMs: number;
  readonly historyDays: number;
  readonly logger: Logger;
}

/** Makes the requests that are due. */
export interface Runner {
  /** Rejects when no round has succeeded for long. */
  readonly checkProgress: () => Promise<void>;
  /** Claims nothing from now on; what is under way goes on. */
  readonly stopClaiming: () => void;
  /** Claims nothing more; lets attempts end for `graceMs`, then gives the others up. Resolves when all are recorded. */
  stop(graceMs: number): Promise<void>;
}

interface Flight {
  readonly claimed: ClaimedRequest;
  readonly abort: AbortController;
  done: Promise<void>;
}

/** Windows last for seconds: looking this often is soon enough. */
const ROUND_INTERVAL_MS = 250;
const PURGE_INTERVAL_MS = 10 * 60_000;
const SWEEP_BATCH = 50;
const LONGEST_SWEEP_INTERVAL_MS = 5_000;

/**
 * Starts the rounds: overdue changes join, then what is due is claimed and made, in places of its own, so that deploy hooks and
 * deliveries do not wait for each other. Leases are renewed three times a lease; an attempt whose lease turns out to be lost is given up.
 */
export function runRequests(options: RunnerOptions): Runner {
  const { changes, requests, make, recordInterrupted, rules, perAccount, leaseMs, historyDays, logger } = options;
  const lanes = createLanes({ ...options, perTenant: perAccount });
  const progress = createProgress('The loop that requests deploy hooks', options);
  const flights = new Map<string, Flight>();
  const stopping = new AbortController();
  let isStopping = false;

  const launch = (claimed: ClaimedRequest, askedMs: number) => {
    const flight: Flight = { claimed, abort: new AbortController(), done: Promise.resolve() };
    if (performance.now() - askedMs >= leaseMs) {
      // Somebody else may hold it by now, and takes it for interrupted.
      logger.warn('deploy_hook.lease_lost', { request_id: claimed.id });
      return;
    }
    flights.set(claimed.id, flight);
    const leave = lanes.enter(claimed.accountId);
    flight.done = make(claimed, flight.abort.signal)
      .catch((error: unknown) => {
        logger.error('deploy_hook.not_recorded', { request_id: claimed.id, attempt: claimed.attempt, error });
      })
      .then(() => {
        leave();
        flights.delete(claimed.id);
      });
  };

  const round = async () => {
    if (isStopping) return;
    for (const { projectId, requestId, count } of await changes.joinOverdue(rules)) {
      logger.warn('deploy_hook.not_served', {
        warning: 'The public API was not known to serve these changes in time; the deploy hook is requested anyway.',
        project_id: projectId,
        request_id: requestId,
        changes: count,
      });
    }
    const { inAll: limit, perTenant, tenants: accounts } = lanes.room();
    const askedMs = performance.now();
    if (limit > 0) {
      const claimed = await requests.claim({ limit, perAccount: perTenant, accounts }, leaseMs);
      for (const one of claimed) launch(one, askedMs);
    }
    progress.made();
  };

  const renew = async () => {
    const renewing = [...flights.values()];
    if (renewing.length === 0) return;
    const held = await requests.renew(
      renewing.map((flight) => flight.claimed),
      leaseMs,
    );
    // One that has just been recorded is not held either, and its abort goes nowhere.
    for (const flight of renewing) if (!held.has(flight.claimed.id)) flight.abort.abort();
  };

  const sweep = async () => {
    for (const held of await requests.takeOverExpired(SWEEP_BATCH, leaseMs)) await recordInterrupted(held);
  };

  const rounds = repeat('deploy_hook.round', ROUND_INTERVAL_MS, round, logger);
  const renewal = repeat('deploy_hook.renewal', leaseMs / 3, renew, logger);
  const sweeper = repeat('deploy_hook.sweep', Math.min(leaseMs / 2, LONGEST_SWEEP_INTERVAL_MS), sweep, logger);
  const purge = repeat(
    'deploy_hook.purge',
    PURGE_INTERVAL_MS,
    () => requests.purge(historyDays, stopping.signal),
    logger,
  );

  const stopClaiming = () => {
    isStopping = true;
    stopping.abort();
  };
  return {
    checkProgress: () => progress.check(),
    stopClaiming,
    async stop(graceMs) {
      stopClaiming();
      await Promise.all([rounds.stop(), sweeper.stop(), purge.stop()]);
      const grace = setTimeout(() => {
        for (const flight of flights.values()) flight.abort.abort();
      }, graceMs);
      await Promise.all([...flights.values()].map((flight) => flight.done));
      clearTimeout(grace);
      await renewal.stop();
    },
  };
}
