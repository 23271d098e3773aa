import { randomUUID } from 'node:crypto';
import { type Backoff, keepRunning, pause } from '@blog-content/concurrency';
import { openSession } from '@blog-content/postgres';
import type { Logger } from '@blog-content/service-runtime';
import { parseMessage, READ_MODEL_CHANNEL, type ReadModelChange } from './read-model-change.ts';
import { createReplicaStore, SEEN_CHANNEL } from './replica-store.ts';

/** How long a replica may answer from its cache, from the moment at which it began to renew its lease. */
export const LEASE_MS = 1_000;
const RENEW_EVERY_MS = 200;
/** To connect, and for each statement. */
const TIMEOUT_MS = 2_000;
const RECONNECT_BACKOFF: Backoff = { firstMs: 50, maxMs: 1_000 };

/** A cache that has to drop what has changed. */
export interface InvalidationTarget {
  drop(projectIds: readonly string[]): void;
  dropAll(): void;
}

export interface ReplicaLeaseOptions {
  readonly databaseUrl: string;
  readonly cache: InvalidationTarget;
  /** Called with each epoch that a replica has seen, this one included. */
  readonly onSeen: (replicaId: string, epoch: bigint) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds of a clock that never goes back and does not stop while the process is stopped. */
  readonly monotonicMs: () => number;
  /** The time of day, which goes on while the machine is suspended. */
  readonly nowMs: () => number;
}

/** This process's permission to answer from its cache (ADR 14). */
export interface ReplicaLease {
  readonly replicaId: string;
  /** Whether what the cache holds is known to be what the database says. Asked before every answer from it. */
  isValid(): boolean;
  /** Drops what a change concerns that this process itself has committed, before the notification comes. */
  noteCommitted(change: ReadModelChange): void;
  /** Ends the lease and takes this replica's row away. Idempotent. */
  close(): Promise<void>;
}

/**
 * Keeps the lease on a connection of its own, which listens to every change, and renews the lease by reading the newest
 * epoch. An epoch that it has not heard of empties the cache before the lease goes on. While the database is away there
 * is no lease.
 */
export function startReplicaLease(options: ReplicaLeaseOptions): ReplicaLease {
  const { databaseUrl, cache, onSeen, logger, monotonicMs, nowMs } = options;
  const replicaId = randomUUID();
  const stopping = new AbortController();
  let validUntilMs = 0;
  let validUntilTimeMs = 0;
  let applyChange: ((change: ReadModelChange) => void) | null = null;

  function end(): void {
    validUntilMs = 0;
  }

  /** Runs until the session is lost, and rejects then, or until `close`. */
  async function hold(onHeld: () => void): Promise<void> {
    let seen = 0n;
    let reported = 0n;
    let isReporting = false;

    const moveTo = (epoch: bigint): void => {
      seen = epoch;
      onSeen(replicaId, epoch);
    };

    /** False, and nothing done, when it is not the very next change, or concerns all projects. */
    const applyNext = ({ epoch, projectIds }: ReadModelChange): boolean => {
      if (epoch !== seen + 1n || projectIds === null) return false;
      cache.drop(projectIds);
      moveTo(epoch);
      return true;
    };

    const onNotification = (payload: string, channel: string): void => {
      if (channel === SEEN_CHANNEL) {
        const [id = '', epoch = '0'] = payload.split(' ');
        if (id !== replicaId) onSeen(id, BigInt(epoch));
        return;
      }
      // A session that is being closed may still hear of changes.
      if (applyChange !== applyNext) return;
      const change = parseMessage(payload);
      if (change === null) {
        cache.dropAll();
        return;
      }
      if (change.epoch <= seen) return;
      if (!applyNext(change)) {
        cache.dropAll();
        moveTo(change.epoch);
      }
      void reportSeen();
    };

    const session = await openSession({
      databaseUrl,
      name: 'public-read-service lease',
      channels: [READ_MODEL_CHANNEL, SEEN_CHANNEL],
      timeoutMs: TIMEOUT_MS,
      onNotification,
    });
    const store = createReplicaStore(session, replicaId);
    // A change of this process's own is not reported at once: the renewal does it. Others hardly ever wait for this
    // replica.
    applyChange = applyNext;
    const ending = AbortSignal.any([stopping.signal, session.lost]);

    async function reportSeen(): Promise<void> {
      if (isReporting) return;
      isReporting = true;
      try {
        while (reported < seen) {
          reported = seen;
          await store.report(reported);
        }
      } catch {
        void session.close();
      } finally {
        isReporting = false;
      }
    }

    async function renew(): Promise<void> {
      const askedAtMs = monotonicMs();
      const askedAtTimeMs = nowMs();
      const epoch = await store.renew(seen);
      if (epoch > seen) {
        cache.dropAll();
        moveTo(epoch);
        void reportSeen();
      }
      if (ending.aborted) return;
      validUntilMs = askedAtMs + LEASE_MS;
      validUntilTimeMs = askedAtTimeMs + LEASE_MS;
    }

    try {
      await store.enter();
      onHeld();
      while (!stopping.signal.aborted) {
        await renew();
        await pause(RENEW_EVERY_MS, ending);
      }
      await store.remove();
    } finally {
      end();
      applyChange = null;
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
    // The time of day as well: the monotonic clock of a machine stands still while it is suspended.
    isValid: () => monotonicMs() < validUntilMs && nowMs() < validUntilTimeMs,
    noteCommitted: (change) => applyChange?.(change),
    close() {
      end();
      stopping.abort();
      return running;
    },
  };
}
