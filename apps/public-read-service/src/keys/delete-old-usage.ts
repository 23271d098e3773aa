import { repeat, type Logger, type Repetition } from '@blog-content/service-runtime';
import type { KeyUsageStore } from './key-usage-store.ts';
import { usageDay, MAX_USAGE_DAYS } from './usage-days.ts';

const INTERVAL_MS = 86_400_000;

/** Deletes usage that is older than 90 days, a batch at a time: now, and then once a day. */
export function startDeletingOldUsage(options: {
  readonly store: Pick<KeyUsageStore, 'deleteBefore'>;
  readonly logger: Logger;
  readonly now: () => Date;
}): Repetition {
  const { store, logger, now } = options;
  let isStopping = false;
  const deleteOld = async (): Promise<void> => {
    const oldestStored = usageDay(now(), MAX_USAGE_DAYS - 1);
    while (!isStopping && (await store.deleteBefore(oldestStored)) > 0);
  };
  const repetition = repeat('key_usage.sweep', INTERVAL_MS, deleteOld, logger);
  return {
    async stop() {
      isStopping = true;
      await repetition.stop();
    },
  };
}
