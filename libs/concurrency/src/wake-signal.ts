/** Ends one loop's sleep early. */
export interface WakeSignal {
  /** Ends the running sleep, or the next one when none runs. Several wakes before a sleep count as one. */
  readonly wake: () => void;
  /** Resolves at the next `wake`, after `ms` at the latest. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** A signal for one sleeper: nothing that happens between two sleeps is missed. */
export function createWakeSignal(): WakeSignal {
  let isDue = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      isDue = true;
      end?.();
    },
    async sleep(ms) {
      if (!isDue) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        end = undefined;
      }
      isDue = false;
    },
  };
}
