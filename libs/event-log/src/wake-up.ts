/**
 * One loop's alarm clock. `wake` ends the running `wait`, or the next one when none is running, so that nothing that
 * happens between two waits is missed; several wakes before a wait are one.
 */
export class WakeUp {
  #due = false;
  #end: (() => void) | undefined;

  wake(): void {
    this.#due = true;
    this.#end?.();
  }

  /** Resolves at the next `wake`, after `ms` at the latest. */
  async wait(ms: number): Promise<void> {
    if (!this.#due) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#end = undefined;
    }
    this.#due = false;
  }
}
