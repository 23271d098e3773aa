import { type Logger, repeat, type Repetition } from '@blog-content/service-runtime';
import { recordOutcome, type RecordDependencies } from './deliver.ts';
import type { DeliveryStore } from './delivery-store.ts';

export interface SweeperOptions {
  readonly store: Pick<DeliveryStore, 'takeOverExpired' | 'record'>;
  readonly record: Omit<RecordDependencies, 'store'>;
  readonly leaseMs: number;
  /** Aborted when the process must end. */
  readonly interrupted: AbortSignal;
  readonly logger: Logger;
}

/** Outcomes that are recorded at once. */
const AT_ONCE = 4;
const LONGEST_INTERVAL_MS = 5_000;

/**
 * Ends the attempts of processes that died: what was in flight is judged as interrupted (decisions "Autopilot retries").
 * It is taken over with a new fencing token first, so that a holder that comes back can record nothing.
 */
export function startSweeper(options: SweeperOptions): Repetition {
  const { store, record, leaseMs, interrupted, logger } = options;
  const round = async () => {
    for (let mayHaveMore = true; mayHaveMore && !interrupted.aborted;) {
      const expired = await store.takeOverExpired(leaseMs);
      const left = expired.deliveries.values();
      // Several take from one list: each outcome may take a connection.
      const recordAll = async () => {
        for (const held of left)
          await recordOutcome(held, { kind: 'interrupted' }, 0, { ...record, store }, interrupted);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, recordAll));
      ({ mayHaveMore } = expired);
    }
  };
  return repeat('delivery.sweep', Math.min(leaseMs / 2, LONGEST_INTERVAL_MS), round, logger);
}
