import { setTimeout as sleep } from 'node:timers/promises';
import { pause } from '@blog-content/concurrency';
import type { Pool } from 'pg';
import { LEASE_MS } from './replica-lease.ts';
import { readReplicas, type ReplicaRow } from './replica-store.ts';

/** A lease, and as much as two clocks may drift apart during one. */
const MAX_LEASE_MS = 1.05 * LEASE_MS;
const READ_AGAIN_MS = 100;

export type ReplicaBarrier = ReturnType<typeof createReplicaBarrier>;

/**
 * @param pool of this service's database
 * @param monotonicMs milliseconds of a clock that never goes back
 */
export function createReplicaBarrier(pool: Pick<Pool, 'query'>, monotonicMs: () => number) {
  const seenEpochs = new Map<string, bigint>();
  /** When a replica's row was first read with this renewal: its lease has ended one lease later. */
  const observed = new Map<string, { readonly renewedAt: string; readonly atMs: number }>();
  let wake = Promise.withResolvers<void>();

  const hasSeen = (id: string, epoch: bigint): boolean => (seenEpochs.get(id) ?? 0n) >= epoch;

  /** Notes which replicas there are, and since when each has its lease. */
  function observe(rows: readonly ReplicaRow[]): void {
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of observed.keys()) if (!ids.has(id)) observed.delete(id);
    for (const id of seenEpochs.keys()) if (!ids.has(id)) seenEpochs.delete(id);
    for (const { id, renewed_at: renewedAt } of rows) {
      if (observed.get(id)?.renewedAt !== renewedAt) observed.set(id, { renewedAt, atMs: monotonicMs() });
    }
  }

  /** The replicas whose rows are behind the epoch → when their leases end. Null when it cannot be known. */
  async function readBehind(epoch: bigint): Promise<ReadonlyMap<string, number> | null> {
    try {
      const rows = await readReplicas(pool);
      observe(rows);
      const behind = rows.filter((row) => BigInt(row.seen_epoch) < epoch);
      return new Map(behind.map(({ id }) => [id, (observed.get(id)?.atMs ?? monotonicMs()) + MAX_LEASE_MS]));
    } catch {
      return null;
    }
  }

  /** Whether each of them has been heard to have seen the epoch, or has no lease any more. */
  const areDone = (behind: ReadonlyMap<string, number>, epoch: bigint): boolean =>
    [...behind].every(([id, endMs]) => hasSeen(id, epoch) || monotonicMs() >= endMs);

  /** The time may have passed since it was last compared, and Node warns of a negative delay. */
  const msUntil = (atMs: number): number => Math.max(0, atMs - monotonicMs());

  /** Resolves when a replica reports an epoch, and at `atMs` at the latest. */
  async function waitForReport(atMs: number): Promise<void> {
    const timeout = new AbortController();
    await Promise.race([wake.promise, pause(msUntil(atMs), timeout.signal)]);
    timeout.abort();
  }

  const until = (atMs: number): Promise<null> => sleep(msUntil(atMs), null, { ref: false });

  return {
    /** Notes that a replica's cache holds nothing older than this epoch. */
    noteSeen(replicaId: string, epoch: bigint): void {
      if (hasSeen(replicaId, epoch)) return;
      seenEpochs.set(replicaId, epoch);
      wake.resolve();
      wake = Promise.withResolvers();
    },

    /**
     * Call it when the transaction of this epoch has committed. Resolves when every replica has dropped what it changed,
     * or its lease has ended: after a few milliseconds normally, after {@link LEASE_MS} and 5 % at the latest. Never
     * rejects.
     */
    async wait(epoch: bigint): Promise<void> {
      // No need to read rows: a lease that was not renewed after the commit has ended by then, and renewing empties the
      // cache.
      const lastMs = monotonicMs() + MAX_LEASE_MS;
      while (monotonicMs() < lastMs) {
        // No longer than that when the database does not answer.
        const behind = await Promise.race([readBehind(epoch), until(lastMs)]);
        const readAgainMs = Math.min(monotonicMs() + READ_AGAIN_MS, lastMs);
        for (;;) {
          if (behind !== null && areDone(behind, epoch)) return;
          if (monotonicMs() >= readAgainMs) break;
          await waitForReport(readAgainMs);
        }
      }
    },
  };
}
