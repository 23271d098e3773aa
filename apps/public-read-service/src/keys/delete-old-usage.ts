import { repeat, type Logger, type Repetition } from '@blog-content/service-runtime';
import type { KeyUsageStore } from './key-usage-store.ts';
import { usageDay, USAGE_DAYS_KEPT } from './usage-days.ts';

const SWEEP_INTERVAL_MS = 86_400_000;

/** Deletes usage that is older than 90 days, a batch at a time: now, and then once a day. */
export function startDeletingOldUsage(options: {
  readonly store: Pick<KeyUsageStore, 'sweep'>;
  readonly logger: Logger;
  readonly now: () => Date;
}): Repetition {
  const { store, logger, now } = options;
  let isStopping = false;
  const sweep = async (): Promise<void> => {
    const oldestKept = usageDay(now(), USAGE_DAYS_KEPT - 1);
    while (!isStopping && (await store.sweep(oldestKept)) > 0);
  };
  const sweeps = repeat('key_usage.sweep', SWEEP_INTERVAL_MS, sweep, logger);
  return {
    async stop() {
      isStopping = true;
      await sweeps.stop();
    },
  };
}
