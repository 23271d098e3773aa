/** What may pass together after a pause. */
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
 * Lets through one chunk per iteration of the event loop, and so many bytes a second. Owners take turns, so an owner
 * who sends a hundred things gets no more than one who sends one. Sending and receiving takes time of the thread that
 * answers everyone: otherwise an answer would wait for a chunk of everything that is being sent, again and again.
 *
 * @param bytesPerS 0 for no limit.
 */
export function createChunkTurns(bytesPerS: number, monotonicMs: () => number): ChunkTurn {
  /** In the order in which they came, by owner; the owner whose turn is next comes first. */
  const waiting = new Map<string, WaitingChunk[]>();
  let isRunning = false;
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
    isRunning = waiting.size > 0;
    if (isRunning) {
      if (isOpen) setImmediate(letThrough);
      else setTimeout(letThrough, PAUSE_MS);
    }
  }

  return (owner, bytes) =>
    new Promise((enter) => {
      const own = waiting.get(owner) ?? [];
      own.push({ bytes, enter });
      waiting.set(owner, own);
      if (isRunning) return;
      isRunning = true;
      setImmediate(letThrough);
    });
}
