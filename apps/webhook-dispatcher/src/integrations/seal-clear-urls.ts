import { type Logger, repeat, type Repetition } from '@blog-content/service-runtime';
import type { ClearUrlStore } from './clear-url-store.ts';

/** Longer than a rolling update takes: a replica of the release before reads URLs in the clear only. */
const WAIT_MS = 10 * 60_000;

/** Seals what an older release wrote in the clear, once no replica of it runs any more. */
export function startSealingClearUrls(store: ClearUrlStore, logger: Logger): Repetition {
  let mayRun = false;
  const round = async () => {
    while (mayRun && (await store.sealClear()) > 0);
    mayRun = true;
  };
  return repeat('integration.seal_urls', WAIT_MS, round, logger);
}
