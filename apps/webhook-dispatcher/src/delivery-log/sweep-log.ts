import { type Logger, repeat, type Repetition } from '@blog-content/service-runtime';
import { untilDone } from '../database/until-done.ts';
import type { SweepLogStore } from './sweep-log-store.ts';

export interface LogSweeperOptions {
  readonly store: SweepLogStore;
  /** Ends tests whose process died; see `TestRequestStore`. */
  readonly endAbandonedTests: () => Promise<number>;
  /** How long the log is kept, in milliseconds. */
  readonly keepMs: number;
  readonly now: () => Date;
  /** Aborted when the process must end. */
  readonly stopping?: AbortSignal;
  readonly logger: Logger;
}

const INTERVAL_MS = 60_000;
const BATCH = 500;
/** Deliveries of one receiver that are removed together. */
const DELIVERIES_AT_ONCE = 100;
/** A delivery may end this long after it sent a body or a header for the first time, in milliseconds. */
const PARTS_MARGIN_MS = 7 * 24 * 3_600_000;

/** Keeps the delivery log at its length, bit by bit, and ends abandoned tests. */
export function startLogSweeper(options: LogSweeperOptions): Repetition {
  return repeat('delivery_log.sweep', INTERVAL_MS, () => sweepLog(options), options.logger);
}

/** One round: lasts until nothing is left that is too old. */
export async function sweepLog(options: LogSweeperOptions): Promise<void> {
  const { store, endAbandonedTests, keepMs, now, stopping } = options;
  await endAbandonedTests();
  const before = new Date(now().getTime() - keepMs);
  const sweepBehind = async (position: bigint) =>
    stopping?.aborted === true ? null : store.sweepDeliveries(before, position, DELIVERIES_AT_ONCE);
  // Once over all receivers, and then in turns where there is more.
  let withMore: bigint[] = [];
  let behind = 0n;
  for (let swept = await sweepBehind(behind); swept !== null; swept = await sweepBehind(behind)) {
    if (swept.hasMore) withMore.push(behind);
    behind = swept.last;
  }
  while (withMore.length > 0) {
    const stillMore: bigint[] = [];
    for (const position of withMore) if ((await sweepBehind(position))?.hasMore === true) stillMore.push(position);
    withMore = stillMore;
  }
  const beforeParts = new Date(before.getTime() - PARTS_MARGIN_MS);
  await untilDone(BATCH, () => store.sweepParts(beforeParts, BATCH), stopping);
  await untilDone(BATCH, () => store.sweepReceivers(before, BATCH), stopping);
}
