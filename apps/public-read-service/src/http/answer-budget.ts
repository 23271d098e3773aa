const MIB = 1_048_576;

/** Most bytes of answers that are being made or not yet read off. */
const TOTAL_BYTES = 144 * MIB;
/** The same of one account. */
const ACCOUNT_BYTES = 36 * MIB;
/** From this size on an answer counts as large. */
const LARGE_BYTES = 8 * MIB;
/** Large answers that an account has at once. */
const MAX_LARGE_PER_ACCOUNT = 2;
/** Large answers leave this to others, which never wait for them. */
const RESERVE_BYTES = 24 * MIB;
/** No answer counts as more, so that the largest fit as well. */
const MAX_COUNTED_BYTES = 96 * MIB;
/** The largest may grow by what stands around their contents. */
const MAX_GROWTH = 1.1;
/** A reader who takes longer is cut off when others need the memory. */
const PATIENCE_MS = 30_000;

/** What one answer holds of the budget. Whoever made the reservation is its first holder. */
export interface Reservation {
  readonly bytes: number;
  /** Changes it to what the answer takes. False when the budget has no more: it stays as it is. */
  resize(bytes: number): boolean;
  /** Adds a holder. */
  retain(): void;
  /** Takes one holder away. After the last one the budget has its bytes back. */
  release(): void;
  /**
   * From now on the holder waits for a reader, whom `cutOff` disconnects when others need the memory more.
   *
   * @returns what is called instead of `release` when the answer has been read off; calling it again does nothing.
   */
  awaitReader(cutOff: () => void): () => void;
}

/**
 * Bounds the memory of answers that are being made or wait for their readers, so that large ones and slow readers cost
 * others no more than that: when a new answer does not fit, the account that holds most loses its longest waiting
 * reader.
 */
export interface AnswerBudget {
  readonly bytes: number;
  /** Null when it does not fit: the reader has to try again in a moment. */
  reserve(accountId: string, bytes: number): Reservation | null;
}

interface Reader {
  readonly sinceMs: number;
  cutOff(): void;
}

/** What an account holds, in all of its projects. */
interface Share {
  bytes: number;
  large: number;
  /** The readers that are waited for, the longest first. */
  readonly readers: Set<Reader>;
}

/** Made once for a process. */
export function createAnswerBudget(monotonicMs: () => number): AnswerBudget {
  const shares = new Map<string, Share>();
  let total = 0;

  /** The longest waiting reader of the account that holds most, if that is more than `bytes` or the reader is slow. */
  function readerToCutOff(bytes: number): Reader | undefined {
    const waitedFor = [...shares.values()].filter(({ readers }) => readers.size > 0);
    const largest = waitedFor.reduce<Share | undefined>((a, b) => (a && a.bytes >= b.bytes ? a : b), undefined);
    const [reader] = largest?.readers ?? [];
    if (largest === undefined || reader === undefined) return undefined;
    return largest.bytes > bytes || monotonicMs() - reader.sinceMs > PATIENCE_MS ? reader : undefined;
  }

  /** Whether an answer that holds `held` may hold `bytes`. Cuts off readers if need be. */
  function fits(share: Share, held: number, bytes: number): boolean {
    const others = share.bytes - held;
    if (others > 0 && others + bytes > ACCOUNT_BYTES) return false;
    const limit = bytes >= LARGE_BYTES ? TOTAL_BYTES - RESERVE_BYTES : TOTAL_BYTES;
    while (total - held + bytes > limit) {
      const reader = readerToCutOff(others + bytes);
      if (reader === undefined) return false;
      reader.cutOff();
    }
    return true;
  }

  return {
    get bytes() {
      return total;
    },
    reserve(accountId, reservedBytes) {
      const share = shares.get(accountId) ?? { bytes: 0, large: 0, readers: new Set<Reader>() };
      const isLarge = reservedBytes >= LARGE_BYTES;
      if (isLarge && share.large >= MAX_LARGE_PER_ACCOUNT) return null;
      if (!fits(share, 0, counted(reservedBytes))) return null;

      let bytes = 0;
      const changeTo = (to: number): void => {
        total += counted(to) - counted(bytes);
        share.bytes += counted(to) - counted(bytes);
        bytes = to;
      };
      changeTo(reservedBytes);
      if (isLarge) share.large += 1;
      shares.set(accountId, share);
      let holders = 1;
      const release = (): void => {
        holders -= 1;
        if (holders !== 0) return;
        changeTo(0);
        if (isLarge) share.large -= 1;
        if (share.bytes === 0 && share.large === 0 && shares.get(accountId) === share) shares.delete(accountId);
      };
      return {
        get bytes() {
          return bytes;
        },
        resize(to) {
          if (to > bytes) {
            if (to > Math.max(MAX_COUNTED_BYTES, reservedBytes * MAX_GROWTH)) return false;
            if (!fits(share, counted(bytes), counted(to))) return false;
          }
          changeTo(to);
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
              onReadOff();
            },
          };
          const onReadOff = (): void => {
            if (share.readers.delete(reader)) release();
          };
          share.readers.add(reader);
          return onReadOff;
        },
      };
    },
  };
}

function counted(bytes: number): number {
  return Math.min(bytes, MAX_COUNTED_BYTES);
}
