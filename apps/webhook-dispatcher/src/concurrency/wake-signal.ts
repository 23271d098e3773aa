/** A sleep that can be cut short; a ring before the sleep makes it end at once. */
export function createAlarm(): { ring: () => void; sleep: (ms: number) => Promise<void> } {
  let hasRung = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wakeUp?.();
    },
    async sleep(ms: number) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wakeUp = undefined;
      hasRung = false;
    },
  };
}
