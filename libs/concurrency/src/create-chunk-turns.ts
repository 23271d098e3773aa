/** What may pass at once after a pause. */
const BURST_BYTES = 262_144;
/** Between two looks at what may pass. */
const PAUSE_MS = 2;

/** Waits for the turn to send or receive so many bytes. */
export type ChunkTurn = (bytes: number) => Promise<void>;

/**
 * Lets through one chunk a turn of the event loop, in the order in which they came, and so many bytes a second. Sending
 * and receiving takes time of the thread that answers everybody: without turns, an answer would wait for a chunk of
 * everything that is being sent, again and again.
 *
 * @param bytesPerS 0 for no limit.
 */
export function createChunkTurns(bytesPerS: number, monotonicMs: () => number): ChunkTurn {
  const waiting: { readonly bytes: number; readonly enter: () => void }[] = [];
  let isTurning = false;
  let credit = BURST_BYTES;
  let creditedAt = monotonicMs();

  function mayEnter(): boolean {
    if (bytesPerS === 0) return true;
    const now = monotonicMs();
    credit = Math.min(BURST_BYTES, credit + ((now - creditedAt) / 1_000) * bytesPerS);
    creditedAt = now;
    return credit > 0;
  }

  function letThrough(): void {
    const isOpen = mayEnter();
    const next = isOpen ? waiting.shift() : undefined;
    if (next !== undefined) {
      credit -= next.bytes;
      next.enter();
    }
    isTurning = waiting.length > 0;
    if (isTurning) {
      if (isOpen) setImmediate(letThrough);
      else setTimeout(letThrough, PAUSE_MS);
    }
  }

  return (bytes) =>
    new Promise((enter) => {
      waiting.push({ bytes, enter });
      if (isTurning) return;
      isTurning = true;
      setImmediate(letThrough);
    });
}
