import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { LEASE_MS } from './replica-lease.ts';

/** A lease, and as much as two clocks may drift apart during one. */
const MAX_LEASE_MS = 1.05 * LEASE_MS;
const READ_AGAIN_MS = 100;

/** Waits until no replica answers from what was true before a change. */
export interface ReplicaBarrier {
  /** Notes that a replica's cache holds nothing older than this epoch. */
  readonly noteSeen: (replicaId: string, epoch: bigint) => void;
  /**
   * Call it when the transaction of this epoch has committed. Resolves when every replica has dropped what it changed,
   * or its lease has ended: after a few milliseconds normally, after {@link LEASE_MS} and 5 % at the latest. Never
   * rejects.
   */
  wait(epoch: bigint): Promise<void>;
}

/** Reads the rows of all replicas. */
const REPLICA_ROWS = 'SELECT id::text, seen_epoch::text, renewed_at::text FROM replica';

/** A row of the table `replica`. */
interface ReplicaRow {
  readonly id: string;
  readonly seen_epoch: string;
  readonly renewed_at: string;
}

/**
 * @param pool of this service's database
 * @param monotonicMs milliseconds of a clock that never goes back
 */
export function createReplicaBarrier(pool: Pick<Pool, 'query'>, monotonicMs: () => number): ReplicaBarrier {
  const seenEpochs = new Map<string, bigint>();
  /** When a replica's row was first read with this renewal: its lease has ended one lease later. */
  const observed = new Map<string, { readonly renewedAt: string; readonly atMs: number }>();
  let wake = Promise.withResolvers<void>();

  /** The replicas that may still answer from before the epoch → when they no longer can. */
  function waitingFor(epoch: bigint, rows: readonly ReplicaRow[]): Map<string, number> {
    const nowMs = monotonicMs();
    const waiting = new Map<string, number>();
    for (const id of observed.keys()) if (!rows.some((row) => row.id === id)) observed.delete(id);
    for (const id of seenEpochs.keys()) if (!rows.some((row) => row.id === id)) seenEpochs.delete(id);
    for (const { id, seen_epoch: seen, renewed_at: renewedAt } of rows) {
      if (observed.get(id)?.renewedAt !== renewedAt) observed.set(id, { renewedAt, atMs: nowMs });
      const endMs = (observed.get(id)?.atMs ?? nowMs) + MAX_LEASE_MS;
      if (BigInt(seen) < epoch && (seenEpochs.get(id) ?? 0n) < epoch && nowMs < endMs) waiting.set(id, endMs);
    }
    return waiting;
  }

  /** Null when it cannot be known. */
  const readWaiting = (epoch: bigint): Promise<Map<string, number> | null> =>
    pool.query<ReplicaRow>(REPLICA_ROWS).then(
      (result) => waitingFor(epoch, result.rows),
      () => null,
    );

  const until = (atMs: number): Promise<null> => sleep(atMs - monotonicMs(), null, { ref: false });

  return {
    noteSeen(replicaId, epoch) {
      if ((seenEpochs.get(replicaId) ?? 0n) >= epoch) return;
      seenEpochs.set(replicaId, epoch);
      wake.resolve();
      wake = Promise.withResolvers();
    },

    async wait(epoch) {
      // Whatever the rows say: a lease that was not renewed after the commit has ended by then, and renewing empties
      // the cache.
      const lastMs = monotonicMs() + MAX_LEASE_MS;
      while (monotonicMs() < lastMs) {
        // No longer than that when the database does not answer.
        const waiting = await Promise.race([readWaiting(epoch), until(lastMs)]);
        if (waiting?.size === 0) return;
        const readAgainMs = Math.min(monotonicMs() + READ_AGAIN_MS, lastMs);
        for (;;) {
          const nowMs = monotonicMs();
          if (waiting !== null) {
            for (const [id, endMs] of waiting) {
              if ((seenEpochs.get(id) ?? 0n) >= epoch || nowMs >= endMs) waiting.delete(id);
            }
            if (waiting.size === 0) return;
          }
          if (nowMs >= readAgainMs) break;
          const timeout = new AbortController();
          await Promise.race([
            wake.promise,
            sleep(readAgainMs - nowMs, undefined, { signal: timeout.signal }).catch(() => undefined),
          ]);
          timeout.abort();
        }
      }
    },
  };
}
