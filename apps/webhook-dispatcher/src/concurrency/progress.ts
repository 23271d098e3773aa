/** A loop that has not succeeded for so long is out of order, in milliseconds. */
const STUCK_AFTER_MS = 15_000;

/** Knows whether a loop gets anywhere; for readiness. */
export interface Progress {
  /** A round of it has succeeded. */
  made(): void;
  /** Rejects when that is long ago. */
  check(): Promise<void>;
}

export interface ProgressOptions {
  /** In milliseconds. */
  readonly stuckAfterMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** `name` is that of the loop, as a subject. Its start counts as progress. */
export function createProgress(name: string, options: ProgressOptions = {}): Progress {
  const { stuckAfterMs = STUCK_AFTER_MS, now = () => performance.now() } = options;
  let madeAtMs = now();
  return {
    made() {
      madeAtMs = now();
    },
    check() {
      const sinceMs = now() - madeAtMs;
      return sinceMs < stuckAfterMs
        ? Promise.resolve()
        : Promise.reject(new Error(`${name} has not succeeded for ${Math.round(sinceMs / 1_000)} s.`));
    },
  };
}
