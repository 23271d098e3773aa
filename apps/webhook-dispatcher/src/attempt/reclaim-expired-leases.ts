import type { Logger } from '@blog-content/service-runtime';
import { recordOutcome, type RecordDependencies } from './record-outcome.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';

export interface ReclaimOptions {
  readonly store: Pick<DeliveryStore, 'reclaimExpired' | 'record'>;
  /** Rejects while the database is away. */
  readonly ping: () => Promise<void>;
  readonly record: Omit<RecordDependencies, 'store' | 'ending'>;
  readonly leaseMs: number;
  /** Aborted when the process must end. */
  readonly interrupted: AbortSignal;
  readonly logger: Logger;
  /** Milliseconds of a clock that does not go back. */
  readonly now?: () => number;
}

/** Outcomes that are recorded together. */
const AT_ONCE = 4;
/**
 * One that cannot be recorded does not keep the others waiting for longer, in milliseconds: it is reclaimed again, a
 * lease later.
 */
const PATIENCE_MS = 1_000;

/**
 * Makes what ends the attempts of processes that died: what was in flight is judged as interrupted (contract §3.2). It
 * gets a new fencing token first. After the database was away it waits for a lease: a process that is alive renews, and
 * records what it knows.
 */
export function createReclaim(options: ReclaimOptions): () => Promise<void> {
  const { store, ping, record, leaseMs, interrupted, logger, now = () => performance.now() } = options;
  let isAway = false;
  let backSinceMs: number | null = null;
  const reclaim = async () => {
    if (isAway) {
      await ping();
      isAway = false;
      backSinceMs = now();
    }
    for (let mayHaveMore = true; mayHaveMore && !interrupted.aborted;) {
      const backForMs = backSinceMs === null ? null : now() - backSinceMs;
      if (backForMs !== null && backForMs < leaseMs) return;
      const heldUntilMs = now() + leaseMs;
      const expired = await store.reclaimExpired(leaseMs, backForMs);
      const left = expired.deliveries.values();
      // Several take from one list: each outcome may take a connection.
      const recordAll = async () => {
        for (const { databaseWasAway, ...held } of left) {
          // Nobody renews these leases.
          if (interrupted.aborted || now() > heldUntilMs) return;
          const outcome = { kind: 'interrupted', databaseWasAway } as const;
          const ending = AbortSignal.timeout(PATIENCE_MS);
          await recordOutcome(held, outcome, 0, { ...record, store, ending }).catch((error: unknown) => {
            logger.error('delivery.not_recorded', { delivery_id: held.id, attempt: held.attempt, error });
          });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, recordAll));
      ({ mayHaveMore } = expired);
    }
  };
  return () =>
    reclaim().catch((error: unknown) => {
      isAway = true;
      throw error;
    });
}
