const BUCKET_MS = 0.01;
const BUCKETS = 500_000;

/** Durations counted in buckets of 10 µs up to 5 s: adding one costs an increment, however many there are. */
export class Histogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #size = 0;
  #maxMs = 0;

  get size(): number {
    return this.#size;
  }

  /** The longest, exactly. */
  get maxMs(): number {
    return this.#maxMs;
  }

  /** Counts a duration; what is longer than the last bucket counts as `maxMs` in percentiles. */
  add(durationMs: number): void {
    const bucket = Math.min(Math.floor(durationMs / BUCKET_MS), BUCKETS - 1);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#size += 1;
    if (durationMs > this.#maxMs) this.#maxMs = durationMs;
  }

  /** The p-th percentile (0–100) by the nearest-rank method, as the upper end of its bucket; NaN when empty. */
  percentileMs(p: number): number {
    if (this.#size === 0) return Number.NaN;
    const rank = Math.max(1, Math.ceil((p / 100) * this.#size));
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS - 1; bucket += 1) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= rank) return Math.min((bucket + 1) * BUCKET_MS, this.#maxMs);
    }
    return this.#maxMs;
  }
}
