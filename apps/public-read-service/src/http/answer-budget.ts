const MIB = 1_048_576;

/** Most bytes of answers in the making or not yet read off, of all projects and of one. */
const TOTAL_BYTES = 144 * MIB;
const PROJECT_BYTES = 36 * MIB;
/** From this size on an answer counts as large, and a project has two of them at once. */
const LARGE_BYTES = 8 * MIB;
const LARGE_OF_PROJECT = 2;
/** What large answers leave to others, which so never wait for those that are being made. */
const RESERVE_BYTES = 24 * MIB;
/** What the largest count as, so that they find room as well; theirs may grow by what stands around the contents. */
const MOST_COUNTED_BYTES = 96 * MIB;
const MOST_GROWTH = 1.1;
/** A reader who takes longer is cut off when others need the room. */
const PATIENCE_MS = 30_000;

/** What one answer holds of the budget, for as long as somebody holds it: at first, who took it. */
export interface Place {
  readonly bytes: number;
  /** Notes what the answer takes. False when there is no room for it to grow so far: it keeps what it has. */
  resize(bytes: number): boolean;
  /** One more holds it. */
  retain(): void;
  /** One holds it no longer. The last one gives the place back. */
  release(): void;
  /**
   * From now on its holder waits for a reader, whom `cutOff` ends when others need the room more.
   *
   * @returns what is called when it has been read off, instead of `release`; calling it again does nothing.
   */
  awaitReader(cutOff: () => void): () => void;
}

/**
 * Bounds the memory of answers that are being made or wait for their readers, so that large ones and slow readers cost others
 * no more than that: when a newcomer finds no room, the project that holds most loses the reader it has had for longest.
 */
export interface AnswerBudget {
  readonly bytes: number;
  /** Null when there is no place: the reader is to try again in a moment. */
  take(projectId: string, bytes: number): Place | null;
}

interface Reader {
  readonly sinceMs: number;
  cutOff(): void;
}

interface Share {
  bytes: number;
  large: number;
  /** Those waited for, the longest first. */
  readonly readers: Set<Reader>;
}

/** Made once for a process. */
export function createAnswerBudget(monotonicMs: () => number): AnswerBudget {
  const shares = new Map<string, Share>();
  let total = 0;

  /** The reader waited for longest of the project that holds most, when that is more than `bytes` or the reader is slow. */
  function mostInTheWay(bytes: number): Reader | undefined {
    const waitedFor = [...shares.values()].filter(({ readers }) => readers.size > 0);
    const most = waitedFor.reduce<Share | undefined>((a, b) => (a && a.bytes >= b.bytes ? a : b), undefined);
    const [reader] = most?.readers ?? [];
    const isInTheWay = most && reader && (most.bytes > bytes || monotonicMs() - reader.sinceMs > PATIENCE_MS);
    return isInTheWay ? reader : undefined;
  }

  /** Whether an answer that holds so much may hold more. Cuts off readers if need be. */
  function hasRoom(share: Share, held: number, bytes: number): boolean {
    const others = share.bytes - held;
    if (others > 0 && others + bytes > PROJECT_BYTES) return false;
    const limit = bytes >= LARGE_BYTES ? TOTAL_BYTES - RESERVE_BYTES : TOTAL_BYTES;
    while (total - held + bytes > limit) {
      const reader = mostInTheWay(others + bytes);
      if (reader === undefined) return false;
      reader.cutOff();
    }
    return true;
  }

  return {
    get bytes() {
      return total;
    },
    take(projectId, taken) {
      const share = shares.get(projectId) ?? { bytes: 0, large: 0, readers: new Set<Reader>() };
      const isLarge = taken >= LARGE_BYTES;
      if (isLarge && share.large >= LARGE_OF_PROJECT) return null;
      if (!hasRoom(share, 0, counted(taken))) return null;

      let bytes = 0;
      const note = (to: number): void => {
        total += counted(to) - counted(bytes);
        share.bytes += counted(to) - counted(bytes);
        bytes = to;
      };
      note(taken);
      if (isLarge) share.large += 1;
      shares.set(projectId, share);
      let holders = 1;
      const release = (): void => {
        holders -= 1;
        if (holders !== 0) return;
        note(0);
        if (isLarge) share.large -= 1;
        if (share.bytes === 0 && share.large === 0 && shares.get(projectId) === share) shares.delete(projectId);
      };
      return {
        get bytes() {
          return bytes;
        },
        resize(to) {
          if (to > bytes) {
            if (to > Math.max(MOST_COUNTED_BYTES, taken * MOST_GROWTH)) return false;
            if (!hasRoom(share, counted(bytes), counted(to))) return false;
          }
          note(to);
          return true;
        },
        retain() {
          holders += 1;
        },
        release,
        awaitReader(cutOff) {
          const reader: Reader = {
            sinceMs: monotonicMs(),
            cutOff() {
              cutOff();
              readOff();
            },
          };
          const readOff = (): void => {
            if (share.readers.delete(reader)) release();
          };
          share.readers.add(reader);
          return readOff;
        },
      };
    },
  };
}

function counted(bytes: number): number {
  return Math.min(bytes, MOST_COUNTED_BYTES);
}
