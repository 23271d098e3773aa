import { randomUUID } from 'node:crypto';
import { type Backoff, backoffMs, pause } from '@blog-content/concurrency';
import { openSession } from '@blog-content/postgres';
import type { Logger } from '@blog-content/service-runtime';
import { parseMessage, READ_MODEL_CHANNEL, type ReadModelChange } from './read-model-change.ts';

/** How long a replica may answer from its cache after it began to ask whether it still may, in milliseconds. */
export const LEASE_MS = 1_000;
const RENEW_EVERY_MS = 200;
/** To connect, and for each statement. */
const TIMEOUT_MS = 2_000;
const RECONNECT_BACKOFF: Backoff = { firstMs: 50, maxMs: 1_000 };
/** Rows of processes that died are removed after this. */
const FORGET_AFTER = '1 day';

/** Name of the PostgreSQL channel on which replicas say how far they have come: id, blank, epoch. */
const SEEN_CHANNEL = 'replica_seen';

/** What a replica has to let go when it changes. */
export interface Invalidated {
  drop(projectIds: readonly string[]): void;
  dropAll(): void;
}

export interface ReplicaLeaseOptions {
  readonly databaseUrl: string;
  readonly cache: Invalidated;
  /** Told of each replica's progress, this one's included. */
  readonly onSeen: (replicaId: string, epoch: bigint) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds of a clock that never goes back and does not stop while the process is stopped. */
  readonly monotonicMs: () => number;
}

/** This process's permission to answer from memory (ADR 21). */
export interface ReplicaLease {
  readonly replicaId: string;
  /** Whether what the cache holds is known to be what the database says. Asked before every answer from it. */
  isValid(): boolean;
  /** Lets go of what a change concerns that this process itself has committed, without waiting to be told of it. */
  committed(change: ReadModelChange): void;
  /** Gives the lease up and says so to the others. Idempotent. */
  close(): Promise<void>;
}

/**
 * Keeps the lease: one connection of its own hears of every change, and renews by asking for the epoch of the newest one.
 * An epoch that was not heard of empties the cache before the lease goes on. Never rejects: while the database is away there
 * is no lease.
 */
export function startReplicaLease(options: ReplicaLeaseOptions): ReplicaLease {
  const { databaseUrl, cache, onSeen, logger, monotonicMs } = options;
  const replicaId = randomUUID();
  const stopping = new AbortController();
  let validUntilMs = 0;
  let validUntilWallMs = 0;
  let follow: ((change: ReadModelChange) => void) | null = null;

  function end(): void {
    validUntilMs = 0;
  }

  /** Runs until the session is lost, and rejects then, or until `close`. */
  async function hold(onHeld: () => void): Promise<void> {
    let seen = 0n;
    let told = 0n;
    let isTelling = false;

    const moveTo = (epoch: bigint): void => {
      seen = epoch;
      onSeen(replicaId, epoch);
    };

    /** False when it is not the very next change, or concerns all projects: nothing was done then. */
    const followNext = ({ epoch, projectIds }: ReadModelChange): boolean => {
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
      // A session that is being closed may still hear of a change that the cache no longer follows.
      if (follow !== followNext) return;
      const change = parseMessage(payload);
      if (change === null) {
        cache.dropAll();
        return;
      }
      if (change.epoch <= seen) return;
      if (!followNext(change)) {
        cache.dropAll();
        moveTo(change.epoch);
      }
      void tellSeen();
    };

    const session = await openSession({
      databaseUrl,
      name: 'public-read-service lease',
      channels: [READ_MODEL_CHANNEL, SEEN_CHANNEL],
      timeoutMs: TIMEOUT_MS,
      onNotification,
    });
    // What happened in between is heard of in its order. The others hear of this one with the renewal: who commits a change waits for
    // them, and hardly ever they for this replica.
    follow = followNext;
    const ending = AbortSignal.any([stopping.signal, session.lost]);

    async function tellSeen(): Promise<void> {
      if (isTelling) return;
      isTelling = true;
      try {
        while (told < seen) {
          told = seen;
          await session.query(
            // Should a crash of the server lose it, others wait longer.
            `WITH moved AS (UPDATE replica SET seen_epoch = $2 WHERE id = $1 RETURNING id)
             SELECT pg_notify('${SEEN_CHANNEL}', id || ' ' || $2::bigint), set_config('synchronous_commit', 'off', true)
             FROM moved`,
            [replicaId, String(told)],
          );
        }
      } catch {
        void session.close();
      } finally {
        isTelling = false;
      }
    }

    async function renew(): Promise<void> {
      const askedAtMs = monotonicMs();
      const askedAtWallMs = Date.now();
      // Two statements: the epoch is read after the row was committed, and is on disk. Who changes something and then finds the
      // row as it was before may rely on this replica to have read the new epoch, a crash of the server in between or not.
      const renewed = await session.query(
        `UPDATE replica SET renewed_at = clock_timestamp(), seen_epoch = greatest(seen_epoch, $2) WHERE id = $1
         RETURNING id`,
        [replicaId, String(seen)],
      );
      if (renewed.length === 0) throw new Error('The row of this replica is gone.');
      const [row] = await session.query<{ epoch: string }>('SELECT epoch FROM read_epoch');
      const epoch = BigInt(row?.epoch ?? 0);
      if (epoch > seen) {
        cache.dropAll();
        moveTo(epoch);
        void tellSeen();
      }
      if (ending.aborted) return;
      validUntilMs = askedAtMs + LEASE_MS;
      validUntilWallMs = askedAtWallMs + LEASE_MS;
    }

    try {
      await session.query(`DELETE FROM replica WHERE renewed_at < clock_timestamp() - interval '${FORGET_AFTER}'`);
      await session.query(
        `INSERT INTO replica (id, seen_epoch, renewed_at) VALUES ($1, 0, clock_timestamp())
         ON CONFLICT (id) DO UPDATE SET seen_epoch = 0, renewed_at = excluded.renewed_at`,
        [replicaId],
      );
      onHeld();
      while (!stopping.signal.aborted) {
        await renew();
        await pause(RENEW_EVERY_MS, ending);
      }
      await session.query('DELETE FROM replica WHERE id = $1', [replicaId]);
    } finally {
      end();
      follow = null;
      await session.close();
    }
  }

  async function keep(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        await hold(() => {
          failures = 0;
          logger.info('cache.lease_held', { replica_id: replicaId });
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        cache.dropAll();
        failures += 1;
        const pauseMs = backoffMs(failures, RECONNECT_BACKOFF);
        logger.warn('cache.lease_lost', { error, retry_in_ms: pauseMs });
        await pause(pauseMs, stopping.signal);
      }
    }
  }

  const kept = keep();
  return {
    replicaId,
    // The wall clock besides, for a machine that was suspended: its monotonic clock stood still.
    isValid: () => monotonicMs() < validUntilMs && Date.now() < validUntilWallMs,
    committed: (change) => follow?.(change),
    close() {
      end();
      stopping.abort();
      return kept;
    },
  };
}
