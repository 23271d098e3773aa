/** What may pass at once after a pause. */
const BURST_BYTES = 262_144;
/** Between two looks at what may pass. */
const PAUSE_MS = 2;

/** Waits for the owner's turn to send or receive so many bytes. */
export type ChunkTurn = (owner: string, bytes: number) => Promise<void>;

interface WaitingChunk {
  readonly bytes: number;
  readonly enter: () => void;
}

/**
 * Lets through one chunk a turn of the event loop, and so many bytes a second. Owners take turns, so that who sends a
 * hundred things at once gets no more than who sends one. Sending and receiving takes time of the thread that answers
 * everybody: without turns, an answer would wait for a chunk of everything that is being sent, again and again.
 *
 * @param bytesPerS 0 for no limit.
 */
export function createChunkTurns(bytesPerS: number, monotonicMs: () => number): ChunkTurn {
  /** In the order in which they came, by owner; the owner whose turn is next stands first. */
  const waiting = new Map<string, WaitingChunk[]>();
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

  function takeNext(): WaitingChunk | undefined {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const [owner, chunks] = first;
    const next = chunks.shift();
    waiting.delete(owner);
    if (chunks.length > 0) waiting.set(owner, chunks);
    return next;
  }

  function letThrough(): void {
    const isOpen = mayEnter();
    const next = isOpen ? takeNext() : undefined;
    if (next !== undefined) {
      credit -= next.bytes;
      next.enter();
    }
    isTurning = waiting.size > 0;
    if (isTurning) {
      if (isOpen) setImmediate(letThrough);
      else setTimeout(letThrough, PAUSE_MS);
    }
  }

  return (owner, bytes) =>
    new Promise((enter) => {
      const own = waiting.get(owner) ?? [];
      own.push({ bytes, enter });
      waiting.set(owner, own);
      if (isTurning) return;
      isTurning = true;
      setImmediate(letThrough);
    });
}
