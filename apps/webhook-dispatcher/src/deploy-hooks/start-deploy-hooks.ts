import type { SecretBox } from '@blog-content/credentials';
import { type Logger, type Metrics, repeat } from '@blog-content/service-runtime';
import type { Kind } from '../kind.ts';
import type { Database } from '../database/open-database.ts';
import { createChangeStore } from './changes/change-store.ts';
import type { DeployHookRoutesDependencies } from './deploy-hook-routes.ts';
import { registerHookMetrics } from './hook-metrics.ts';
import { createHookSecrets } from './settings/hook-secrets.ts';
import { createHookStore } from './settings/hook-store.ts';
import { makeRequest, type MakeRequestDependencies, recordHookOutcome } from './make-request.ts';
import { createRequestLogStore } from './request-log-store.ts';
import { createRequestStore } from './request-store.ts';
import { runLeased } from '../run-leased.ts';
import { createTestHook } from './test-hook.ts';

const PURGE_INTERVAL_MS = 10 * 60_000;
/** Windows last for seconds: looking this often is soon enough. */
const POLL_INTERVAL_MS = 1_000;
/** Overdue changes have waited for minutes. */
const OVERDUE_INTERVAL_MS = 5_000;
const MAX_RECLAIMED_AT_ONCE = 50;

/** Milliseconds, but for `concurrency`, `perAccount` and `historyDays`. */
export interface DeployHookSettings {
  readonly quietMs: number;
  readonly maxWaitMs: number;
  /** How long a change waits until the public API serves it. */
  readonly servedWaitMs: number;
  /** Most concurrent requests that are not slow. */
  readonly concurrency: number;
  /** Most of them for the projects of one account. */
  readonly perAccount: number;
  readonly historyDays: number;
  readonly leaseMs: number;
  /** Deadline of one whole exchange. */
  readonly timeoutMs: number;
}

export interface DeployHookParts extends Pick<
  MakeRequestDependencies,
  'policy' | 'random' | 'now' | 'send' | 'userAgent' | 'siteRebuilds'
> {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The deploy hooks of this process, at work. */
export interface DeployHooks extends Kind {
  readonly routes: Omit<DeployHookRoutesDependencies, 'urlGuard'>;
}

/** Wires the deploy hooks together and starts them. */
export function startDeployHooks(settings: DeployHookSettings, parts: DeployHookParts): DeployHooks {
  const { database, secretBox, metrics, logger, ...making } = parts;
  const { servedWaitMs, concurrency, perAccount, historyDays, leaseMs, timeoutMs, ...rules } = settings;
  const hooks = createHookStore(database);
  const changes = createChangeStore(database);
  const requests = createRequestStore(database);
  const secrets = createHookSecrets(secretBox);
  const dependencies: MakeRequestDependencies = {
    ...making,
    store: requests,
    secrets,
    logger,
    metrics: registerHookMetrics(metrics, () => requests.counts()),
  };
  const ending = new AbortController();

  // In slots of their own, so that deploy hooks and deliveries do not wait for each other.
  const runner = runLeased({
    name: 'deploy_hook',
    store: requests,
    run: (claimed, lease) => makeRequest(claimed, lease.interrupted, dependencies),
    logFields: ({ id, attempt }) => ({ request_id: id, attempt }),
    async reclaim() {
      for (const held of await requests.reclaimExpired(MAX_RECLAIMED_AT_ONCE, leaseMs)) {
        await recordHookOutcome(held, { kind: 'interrupted' }, dependencies, ending.signal);
      }
    },
    concurrency,
    perAccount,
    pollIntervalMs: POLL_INTERVAL_MS,
    leaseMs,
    logger,
  });
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
  const overdue = repeat('deploy_hook.overdue', OVERDUE_INTERVAL_MS, joinOverdue, logger);
  const stopping = new AbortController();
  const purge = repeat(
    'deploy_hook.purge',
    PURGE_INTERVAL_MS,
    () => requests.purge(historyDays, stopping.signal),
    logger,
  );
  const tests = new Set<Promise<unknown>>();
  const testHook = createTestHook({
    requests,
    make: async (claimed) => {
      const test = makeRequest(claimed, ending.signal, dependencies);
      tests.add(test);
      return test.finally(() => tests.delete(test));
    },
    // Nobody renews it.
    leaseMs: timeoutMs + leaseMs,
  });

  const stopClaiming = () => {
    runner.stopClaiming();
    stopping.abort();
  };

  return {
    name: 'deploy_hooks',
    plan: (events) => changes.keep(events, { ...rules, servedWaitMs }),
    markServed: (events) => changes.markServed(events, rules),
    forget: (projectIds) => hooks.removeOfDeletedProjects(projectIds),
    routes: { hooks, hookSecrets: secrets, hookRequests: createRequestLogStore(database), testHook },
    checkProgress: runner.checkProgress,
    stopClaiming,
    async stop(graceMs) {
      stopClaiming();
      const grace = setTimeout(() => {
        ending.abort();
      }, graceMs);
      await Promise.all([runner.stop(graceMs), overdue.stop(), purge.stop()]);
      clearTimeout(grace);
      // Nobody waits for the answer of a test any more: its connection was closed first.
      ending.abort();
      await Promise.allSettled(tests);
    },
  };
}
