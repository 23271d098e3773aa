import type { SecretBox } from '@blog-content/credentials';
import type { ReceivedEvent } from '@blog-content/event-log';
import type { BlogServedEvent, VisibilityEvent } from '@blog-content/payload-schemas';
import { type Logger, type Metrics, repeat } from '@blog-content/service-runtime';
import type { Database } from '../database/open-database.ts';
import { createChangeStore } from './changes/change-store.ts';
import type { DeployHookRoutesDependencies } from './deploy-hook-routes.ts';
import { registerHookMetrics } from './hook-metrics.ts';
import { createHookSecrets } from './settings/hook-secrets.ts';
import { createHookStore } from './settings/hook-store.ts';
import { makeRequest, type MakeRequestDependencies, recordHookOutcome } from './make-request.ts';
import { createRequestLogStore } from './request-log-store.ts';
import { createRequestStore } from './request-store.ts';
import { runRequests } from './run-requests.ts';
import { createTestHook } from './test-hook.ts';

const PURGE_INTERVAL_MS = 10 * 60_000;

/** Milliseconds, but for `concurrency`, `perAccount` and `historyDays`. */
export interface DeployHookSettings {
  readonly quietMs: number;
  readonly maxWaitMs: number;
  /** How long a change waits until the public API serves it. */
  readonly servedWaitMs: number;
  /** Most requests at once that are not slow; tests have as many slots of their own. */
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
  'policy' | 'random' | 'now' | 'send' | 'userAgent'
> {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** What events of the log do to deploy hooks. All of it may be done again. */
export interface DeployHookEvents {
  /** To be called before deliveries are planned for these events. */
  keep(events: readonly Pick<ReceivedEvent<VisibilityEvent>, 'id' | 'data'>[]): Promise<void>;
  /** To be called after deliveries have been marked. */
  markServed(events: readonly BlogServedEvent[]): Promise<void>;
  /** Takes away the hooks of those of these projects that are deleted. */
  forget(projectIds: readonly string[]): Promise<void>;
}

/** The deploy hooks of this process, at work. */
export interface DeployHooks {
  readonly events: DeployHookEvents;
  readonly routes: Omit<DeployHookRoutesDependencies, 'urlGuard'>;
  /** Rejects while no round of requests succeeds. */
  readonly checkProgress: () => Promise<void>;
  /** Begins no request from now on; what runs goes on. */
  readonly stopClaiming: () => void;
  /** Lets what runs end for `graceMs`, then interrupts it; resolves when all is recorded. */
  stop(graceMs: number): Promise<void>;
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

  const runner = runRequests({
    changes,
    requests,
    make: (claimed, interrupted) => makeRequest(claimed, interrupted, dependencies),
    recordInterrupted: (held) => recordHookOutcome(held, { kind: 'interrupted' }, dependencies, ending.signal),
    rules,
    concurrency,
    perAccount,
    leaseMs,
    logger,
  });
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
    concurrency,
    perAccount,
    // Nobody renews it.
    leaseMs: timeoutMs + leaseMs,
  });

  const stopClaiming = () => {
    runner.stopClaiming();
    stopping.abort();
  };

  return {
    events: {
      keep: (events) => changes.keep(events, { ...rules, servedWaitMs }),
      markServed: (events) => changes.markServed(events, rules),
      forget: (projectIds) => hooks.removeOfDeletedProjects(projectIds),
    },
    routes: { hooks, hookSecrets: secrets, hookRequests: createRequestLogStore(database), testHook },
    checkProgress: runner.checkProgress,
    stopClaiming,
    async stop(graceMs) {
      stopClaiming();
      const grace = setTimeout(() => {
        ending.abort();
      }, graceMs);
      await Promise.all([runner.stop(graceMs), purge.stop()]);
      clearTimeout(grace);
      // Nobody waits for the answer of a test any more: its connection was closed first.
      ending.abort();
      await Promise.allSettled(tests);
    },
  };
}
