import { createWakeSignal } from '@blog-content/concurrency';
import type { Logger, Repetition } from '@blog-content/service-runtime';

/** Something done again and again, at once when it is woken. */
export interface WakefulRepetition extends Repetition {
  /** Begins the next round now, or right after the one that runs. */
  readonly wake: () => void;
}

/**
 * Runs `round` now, then whenever it is woken, and `pollMs` after each round's end at the latest. A round that resolves
 * to true is followed by the next one at once. A round that fails is logged; the next one still comes.
 *
 * @param round `isStopping`: whether to begin nothing more.
 */
export function repeatOnWake(
  name: string,
  pollMs: number,
  round: (isStopping: () => boolean) => Promise<boolean>,
  logger: Logger,
): WakefulRepetition {
  const signal = createWakeSignal();
  let isStopping = false;
  const loop = async () => {
    while (!isStopping) {
      const isBusy = await round(() => isStopping).catch((error: unknown) => {
        logger.warn(`${name}.failed`, { error });
        return false;
      });
      if (!isBusy && !isStopping) await signal.sleep(pollMs);
    }
  };
  const running = loop();
  return {
    wake: signal.wake,
    async stop() {
      isStopping = true;
      signal.wake();
      await running;
    },
  };
}
