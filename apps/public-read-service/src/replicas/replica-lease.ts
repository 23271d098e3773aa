import { randomUUID } from 'node:crypto';
import { type Backoff, keepRunning, pause } from '@blog-content/concurrency';
import { openSession } from '@blog-content/postgres';
import type { Logger } from '@blog-content/service-runtime';
import type { ReadCache } from '../cache/read-cache.ts';
import { parseMessage, READ_MODEL_CHANNEL, type ReadModelChange } from './read-model-change.ts';
import { createReplicaStore, SEEN_CHANNEL, type ReplicaStore } from './replica-store.ts';

/** How long a replica may answer from its cache, from the moment at which it began to renew its lease. */
export const LEASE_MS = 1_000;
const RENEW_EVERY_MS = 200;
/** After so long without a request the lease is left to end, in milliseconds. The next request renews it. */
const QUIET_AFTER_MS = 10_000;
/** How often a session that waits for a request is asked whether it is still there. */
const ASK_EVERY_MS = 5_000;
/** To connect, and for each statement. */
const TIMEOUT_MS = 2_000;
const RECONNECT_BACKOFF: Backoff = { firstMs: 50, maxMs: 1_000 };

/** What a cache has to do under a lease. */
type LeasedCache = Pick<ReadCache, 'allowUntil' | 'drop' | 'dropAll' | 'takeAsked' | 'whenAsked'>;

export interface ReplicaLeaseOptions {
  readonly databaseUrl: string;
  readonly cache: LeasedCache;
  /** Called with each epoch that a replica has seen, this one included. */
  readonly onSeen: (replicaId: string, epoch: bigint) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds of a clock that never goes back and does not stop while the process is stopped. */
  readonly monotonicMs: () => number;
  /** The time of day, which goes on while the machine is suspended. */
  readonly nowMs: () => number;
}

/**
 * Keeps the lease on a connection of its own, which listens to every change. It renews the lease by reading the newest
 * epoch. An epoch that it has not heard of empties the cache before the lease goes on. While the database is away there
 * is no lease, and hardly any while nobody reads: the first request after that finds the cache closed.
 *
 *     no session ── connects ──▶ listens ── has renewed ──▶ holds the lease, for LEASE_MS from each renewal on
 *         ▲                        │                            │
 *         └───────── is lost ──────┴────────── is lost ─────────┘
 */
export function startReplicaLease(options: ReplicaLeaseOptions) {
  const { databaseUrl, cache, onSeen, logger, monotonicMs, nowMs } = options;
  const replicaId = randomUUID();
  const stopping = new AbortController();
  /** What the session that listens has seen. */
  let listening: SeenEpoch | null = null;

  const end = () => cache.allowUntil(0, 0);

  /** Runs until the session is lost, and rejects then, or until `close`. */
  async function hold(onHeld: () => void): Promise<void> {
    const seen = createSeenEpoch(cache, (epoch) => onSeen(replicaId, epoch));
    const onNotification = (payload: string, channel: string): void => {
      if (channel === SEEN_CHANNEL) {
        const [id = '', epoch = '0'] = payload.split(' ');
        if (id !== replicaId) onSeen(id, BigInt(epoch));
        return;
      }
      // A session that is being closed may still hear of changes.
      if (listening !== seen) return;
      const change = parseMessage(payload);
      if (change === null) cache.dropAll();
      else if (seen.applyNext(change) || seen.catchUp(change.epoch)) void report();
    };

    const session = await openSession({
      databaseUrl,
      name: 'public-read-service lease',
      channels: [READ_MODEL_CHANNEL, SEEN_CHANNEL],
      timeoutMs: TIMEOUT_MS,
      onNotification,
    });
    const store = createReplicaStore(session, replicaId);
    const report = createReporter(store, seen, () => void session.close());
    const ending = AbortSignal.any([stopping.signal, session.lost]);
    listening = seen;

    async function renew(): Promise<void> {
      const askedAtMs = monotonicMs();
      const askedAtTimeMs = nowMs();
      if (seen.catchUp(await store.renew(seen.epoch))) void report();
      if (ending.aborted) return;
      cache.allowUntil(askedAtMs + LEASE_MS, askedAtTimeMs + LEASE_MS);
    }

    async function untilAsked(signal: AbortSignal): Promise<void> {
      const asked = new AbortController();
      cache.whenAsked(() => asked.abort());
      await pause(ASK_EVERY_MS, AbortSignal.any([signal, asked.signal]));
    }

    try {
      await store.enter();
      onHeld();
      let askedAtMs = monotonicMs();
      while (!stopping.signal.aborted) {
        await renew();
        if (cache.takeAsked()) askedAtMs = monotonicMs();
        if (monotonicMs() - askedAtMs < QUIET_AFTER_MS) await pause(RENEW_EVERY_MS, ending);
        else await untilAsked(ending);
      }
      await store.remove();
    } finally {
      end();
      listening = null;
      await session.close();
    }
  }

  const running = keepRunning(
    (progressed) =>
      hold(() => {
        progressed();
        logger.info('cache.lease_held', { replica_id: replicaId });
      }),
    ({ error, retryInMs }) => {
      cache.dropAll();
      logger.warn('cache.lease_lost', { error, retry_in_ms: retryInMs });
    },
    { backoff: RECONNECT_BACKOFF, stopping: stopping.signal },
  );
  return {
    replicaId,
    // The next renewal reports it: others hardly ever wait for this replica.
    /** Drops what a change concerns that this process itself has committed, before the notification comes. */
    noteCommitted: (change: ReadModelChange): void => void listening?.applyNext(change),
    /** Ends the lease and takes this replica's row away. Idempotent. */
    close(): Promise<void> {
      end();
      stopping.abort();
      return running;
    },
  };
}

/** The epoch up to which the cache has dropped everything that has changed, as far as one session knows. */
interface SeenEpoch {
  readonly epoch: bigint;
  /** False, and nothing done, when it is not the very next change, or concerns all projects. */
  applyNext(change: ReadModelChange): boolean;
  /** Empties the cache. False, and nothing done, for an epoch that was seen. */
  catchUp(epoch: bigint): boolean;
}

function createSeenEpoch(cache: LeasedCache, onSeen: (epoch: bigint) => void): SeenEpoch {
  let seen = 0n;
  const moveTo = (epoch: bigint): true => {
    seen = epoch;
    onSeen(epoch);
    return true;
  };
  return {
    get epoch() {
      return seen;
    },
    applyNext({ epoch, projectIds }) {
      if (epoch !== seen + 1n || projectIds === null) return false;
      cache.drop(projectIds);
      return moveTo(epoch);
    },
    catchUp(epoch) {
      if (epoch <= seen) return false;
      cache.dropAll();
      return moveTo(epoch);
    },
  };
}

/** Reports what was seen, one report at a time: what is seen meanwhile goes with the next one. */
function createReporter(
  store: Pick<ReplicaStore, 'report'>,
  seen: Pick<SeenEpoch, 'epoch'>,
  onFailed: () => void,
): () => Promise<void> {
  let reported = 0n;
  let isReporting = false;
  return async () => {
    if (isReporting) return;
    isReporting = true;
    try {
      while (reported < seen.epoch) {
        reported = seen.epoch;
        await store.report(reported);
      }
    } catch {
      onFailed();
    } finally {
      isReporting = false;
    }
  };
}
