import type { ReceivedEvent } from '@blog-content/event-log';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import { type Metrics, repeat } from '@blog-content/service-runtime';
import { createLanes } from '../concurrency/slots.ts';
import { type LeasedJob, startLeaseRunner } from '../concurrency/lease-runner.ts';
import type { Database } from '../database/open-database.ts';
import { createAddressStore } from './address-store.ts';
import { createHostGate } from './host-gate.ts';
import type { IndexNowRoutesDependencies } from './index-now-routes.ts';
import { createIndexNowStore } from './index-now-store.ts';
import { PING_REST_MS } from './judge-ping.ts';
import { KEY_BACKOFF, pageRequest, type PingRest, takeTurn, type TurnDependencies } from './take-turn.ts';
import { type ClaimedTurn, createTurnStore } from './turn-store.ts';

/** Deadline of a look at a page, of a check, and of a ping, in milliseconds. */
export const INDEX_NOW_TIMEOUT_MS = 10_000;
/** Most of a page that is read to see whether it has changed, in bytes. */
export const MAX_WATCHED_PAGE_BYTES = 256 * 1024;
/** Most pings a project and hour. */
const MAX_PINGS_PER_HOUR = 20;
/** Looks are seconds to minutes apart: looking this often is soon enough. */
const POLL_INTERVAL_MS = 500;
/** Most turns at once in this process that are not slow, and of the projects of one account; see `lanes.ts`. */
const MAX_PING_TURNS = 4;
const MAX_PING_TURNS_OF_ACCOUNT = 2;
/** Most requests for pages and key files to one host at once in this process, whatever projects they are for. */
const MAX_LOOKS_AT_HOST = 2;
const SWEEP_INTERVAL_MS = 60_000;

/** What no environment changes. */
export const INDEX_NOW_PACE = {
  pollIntervalMs: POLL_INTERVAL_MS,
  pingsPerHour: MAX_PINGS_PER_HOUR,
  restMs: PING_REST_MS,
  keyBackoff: KEY_BACKOFF,
};

export interface IndexNowParts extends Omit<TurnDependencies, 'store' | 'get' | 'rest' | 'pinged'> {
  readonly database: Database;
  readonly metrics: Metrics;
  /** In milliseconds. */
  readonly leaseMs: number;
  /** How often to look, in milliseconds. */
  readonly pollIntervalMs: number;
}

/** IndexNow of this process, at work. */
export interface IndexNow {
  /** What events of the log do. All of it may be done again. */
  readonly events: {
    /** To be called before deliveries are planned for these events. */
    keep(events: readonly Pick<ReceivedEvent<VisibilityEvent>, 'id' | 'data'>[]): Promise<void>;
    /** Turns it off in those of these projects that are deleted. */
    forget(projectIds: readonly string[]): Promise<void>;
  };
  readonly routes: IndexNowRoutesDependencies;
  /** Rejects while no round of turns succeeds. */
  readonly checkProgress: () => Promise<void>;
  /** Begins no turn from now on; what runs goes on. */
  readonly stopClaiming: () => void;
  /** Lets turns end for `graceMs`, then interrupts them. */
  stop(graceMs: number): Promise<void>;
}

/** Wires IndexNow together and starts it (ADR 22). */
export function startIndexNow(parts: IndexNowParts): IndexNow {
  const { database, metrics, leaseMs, pollIntervalMs, ...dependencies } = parts;
  const { logger, send, userAgent } = dependencies;
  const settings = createIndexNowStore(database);
  const addresses = createAddressStore(database);
  const store = createTurnStore(database);
  const pings = metrics.counter('index_now_pings_total', 'Pings of changed URLs, by result.', ['verdict']);
  metrics.gauge(
    'index_now_addresses_waiting',
    'Changed URLs not yet on the site or waiting to be pinged, across all replicas; at most 10,000.',
    [],
    async (gauge) => {
      gauge.set(await store.countWaiting());
    },
  );
  const ending = new AbortController();
  const gate = createHostGate(MAX_LOOKS_AT_HOST);
  const turns: TurnDependencies = {
    ...dependencies,
    store,
    get: (url, interrupted) => gate.run(url, () => send(pageRequest(url, userAgent), interrupted)),
    rest: createPingRest(),
    pinged: (verdict) => pings.inc({ verdict: verdict === 'exhausted' ? 'failed' : verdict }),
  };
  const jobOf = (turn: ClaimedTurn): LeasedJob => ({
    id: turn.projectId,
    leaseToken: turn.leaseToken,
    tenantId: turn.accountId,
    receiverId: turn.projectId,
    logFields: { project_id: turn.projectId },
    run: (lease) => takeTurn(turn, lease, turns),
  });
  const runner = startLeaseRunner({
    name: 'index_now',
    slots: createLanes({ concurrency: MAX_PING_TURNS, perTenant: MAX_PING_TURNS_OF_ACCOUNT }),
    pollIntervalMs,
    leaseMs,
    logger,
    async claim(free) {
      const claimed = await store.claim(free, leaseMs);
      return { jobs: claimed.map(jobOf), mayHaveMore: false, nextDueInMs: null };
    },
    renew: (jobs) =>
      store.renew(
        jobs.map(({ id: projectId, leaseToken }) => ({ projectId, leaseToken })),
        leaseMs,
      ),
  });

  const sweep = repeat('index_now.sweep', SWEEP_INTERVAL_MS, () => settings.sweep(), logger);

  return {
    events: {
      keep: (events) => addresses.keep(events),
      forget: (projectIds) => settings.forgetDeleted(projectIds),
    },
    routes: {
      indexNow: settings,
      getKeyFile: (url) => gate.runNow(url, () => send(pageRequest(url, userAgent), ending.signal)),
    },
    checkProgress: runner.checkProgress,
    stopClaiming: runner.stopClaiming,
    async stop(graceMs) {
      await Promise.all([runner.stop(graceMs), sweep.stop()]);
      // Nobody waits for the answer of a check any more: its connection was closed first.
      ending.abort();
    },
  };
}

function createPingRest(): PingRest {
  let untilMs = 0;
  return {
    leftMs: () => Math.max(0, untilMs - performance.now()),
    takeAtLeast(ms) {
      untilMs = Math.max(untilMs, performance.now() + ms);
    },
  };
}
