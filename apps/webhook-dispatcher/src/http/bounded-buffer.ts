const EMPTY = Buffer.alloc(0);
const FIRST_BYTES = 1_024;

/**
 * Keeps the first `limit` bytes of what comes, in one buffer that grows to at most that: how the bytes were cut on
 * their way costs nothing.
 */
export class BoundedBuffer {
  readonly limit: number;
  #kept: Buffer = EMPTY;
  #length = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get isFull(): boolean {
    return this.#length === this.limit;
  }

  get bytes(): Buffer {
    return this.#kept.subarray(0, this.#length);
  }

  /** Copies what there is room for. */
  add(chunk: Uint8Array): void {
    const taken = chunk.subarray(0, this.limit - this.#length);
    const needed = this.#length + taken.byteLength;
    if (needed > this.#kept.byteLength) {
      const grown = Math.min(this.limit, Math.max(needed, 2 * this.#kept.byteLength, FIRST_BYTES));
      // Not out of Node's pool, which would be held as a whole.
      const larger = Buffer.allocUnsafeSlow(grown);
      larger.set(this.bytes);
      this.#kept = larger;
    }
    this.#kept.set(taken, this.#length);
    this.#length = needed;
  }
}
