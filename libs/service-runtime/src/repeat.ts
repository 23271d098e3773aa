import type { Logger } from './log/logger.ts';

/** Something done again and again until it is stopped. */
export interface Repetition {
  /** Resolves when the running round has ended. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs `round` now and then `intervalMs` after each round's end. A round that fails is logged; the next one still
 * comes.
 */
export function repeat(name: string, intervalMs: number, round: () => Promise<void>, logger: Logger): Repetition {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const run = () => {
    running = round()
      .catch((error: unknown) => {
        logger.warn(`${name}.failed`, { error });
      })
      .then(() => {
        if (!isStopped) timer = setTimeout(run, intervalMs);
      });
  };
  run();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
