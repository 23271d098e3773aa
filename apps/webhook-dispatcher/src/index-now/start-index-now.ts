import type { Metrics } from '@blog-content/service-runtime';
import type { Kind } from '../kind.ts';
import type { Database } from '../database/open-database.ts';
import { keyFileRequest } from './check-key-file.ts';
import type { IndexNowRoutesDependencies } from './index-now-routes.ts';
import { createIndexNowStore } from './index-now-store.ts';
import { makePing, type PingDependencies } from './make-ping.ts';
import { createPingStore } from './ping-store.ts';
import { runLeased } from '../run-leased.ts';

/** Deadline of a ping, and of a check of a key file, in milliseconds. */
export const INDEX_NOW_TIMEOUT_MS = 10_000;
/** Pings wait for minutes: looking this often is soon enough. */
export const INDEX_NOW_POLL_MS = 5_000;
/** Most concurrent pings of this process; all go to one host. */
const MAX_PINGS = 4;

export interface IndexNowParts extends Omit<PingDependencies, 'store' | 'pinged'> {
  readonly database: Database;
  readonly metrics: Metrics;
  /** How long after the site began to rebuild its URLs are pinged, in milliseconds. */
  readonly delayMs: number;
  /** In milliseconds. */
  readonly leaseMs: number;
  /** How often to look for due pings, in milliseconds. */
  readonly pollIntervalMs: number;
}

/** IndexNow of this process, at work. */
export interface IndexNow extends Kind {
  /** A request to the project's deploy hook has succeeded, and is recorded next. */
  readonly siteRebuilds: (projectId: string, requestId: string) => Promise<void>;
  readonly routes: IndexNowRoutesDependencies;
}

/** Wires IndexNow together and starts it (ADR 31). */
export function startIndexNow(parts: IndexNowParts): IndexNow {
  const { database, metrics, delayMs, leaseMs, pollIntervalMs, ...sending } = parts;
  const { logger, send, userAgent } = sending;
  const settings = createIndexNowStore(database);
  const store = createPingStore(database, delayMs);
  const pings = metrics.counter('index_now_pings_total', 'Pings of changed URLs, by result.', ['verdict']);
  metrics.reading('index_now', () => store.countWaiting(), {
    index_now_addresses_waiting: {
      help: 'Changed URLs not yet pinged, across all replicas.',
      value: (addresses) => addresses,
    },
  });
  const dependencies: PingDependencies = { ...sending, store, pinged: (verdict) => pings.inc({ verdict }) };
  const runner = runLeased({
    name: 'index_now',
    // All go to one host, and none is slower than another: accounts need no shares.
    store: { claim: (_free, forMs) => store.claim(forMs), renew: (tokens, forMs) => store.renew(tokens, forMs) },
    run: (ping, lease) => makePing(ping, lease, dependencies),
    logFields: ({ projectId }) => ({ project_id: projectId }),
    concurrency: MAX_PINGS,
    perAccount: MAX_PINGS,
    pollIntervalMs,
    leaseMs,
    logger,
  });
  const ending = new AbortController();

  return {
    name: 'index_now',
    plan: (changes) => store.keep(changes),
    forget: (projectIds) => settings.forgetDeleted(projectIds),
    siteRebuilds: (projectId, requestId) => store.siteRebuilds(projectId, requestId),
    routes: {
      indexNow: settings,
      getKeyFile: (url) => send(keyFileRequest(url, userAgent), ending.signal),
    },
    checkProgress: runner.checkProgress,
    stopClaiming: runner.stopClaiming,
    async stop(graceMs) {
      await runner.stop(graceMs);
      // Nobody waits for the result of a check any more: its connection was closed first.
      ending.abort();
    },
  };
}
