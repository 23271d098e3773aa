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

const BATCH = 50;
const LONGEST_INTERVAL_MS = 5_000;

/**
 * Ends the attempts of processes that died: what was in flight is judged as interrupted (decisions "Autopilot retries").
 * It is taken over with a new fencing token first, so that a holder that comes back can record nothing.
 */
export function startSweeper(options: SweeperOptions): Repetition {
  const { store, record, leaseMs, interrupted, logger } = options;
  const round = async () => {
    const expired = await store.takeOverExpired(BATCH, leaseMs);
    for (const held of expired) {
      await recordOutcome(held, { kind: 'interrupted' }, 0, { ...record, store }, interrupted);
    }
  };
  return repeat('delivery.sweep', Math.min(leaseMs / 2, LONGEST_INTERVAL_MS), round, logger);
}
