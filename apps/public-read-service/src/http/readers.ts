import type { ServerResponse } from 'node:http';

/** How long a reader may take for a response, beside what it takes at the least rate. */
const READ_OFF_MS = 30_000;
/** A reader that has taken no byte for this long is gone. */
export const STALLED_MS = 10_000;
/** A reader who takes longer is cut off when others need its place. */
const PATIENCE_MS = 30_000;

export interface ReaderLimits {
  /** Most of all readers, in the unit of {@link Readers.hold}. */
  readonly total: number;
  /** Most of the readers of one account, or a single reader that takes more. */
  readonly each: number;
  /** The least rate at which a reader may read. */
  readonly minBytesPerS: number;
  /** A reader that has taken no byte for this long is gone. */
  readonly stalledMs: number;
}

interface Reader {
  readonly size: number;
  readonly sinceMs: number;
  readonly cutOff: () => void;
}

export type Readers = ReturnType<typeof createReaders>;

/**
 * Bounds the responses that wait for their readers. When one more does not fit, the account that holds most loses its
 * longest waiting reader, if it holds more than the newcomer's account would or that reader is slow.
 */
export function createReaders(limits: ReaderLimits, monotonicMs: () => number) {
  const { total, each, minBytesPerS, stalledMs } = limits;
  /** By account; the longest waiting come first. */
  const waiting = new Map<string, Set<Reader>>();

  const sizeOf = (readers: Iterable<Reader>) => [...readers].reduce((sum, { size }) => sum + size, 0);
  const totalSize = () => [...waiting.values()].reduce((sum, readers) => sum + sizeOf(readers), 0);

  function readerToCutOff(size: number): Reader | undefined {
    const [largest] = [...waiting.values()].toSorted((a, b) => sizeOf(b) - sizeOf(a));
    const [reader] = largest ?? [];
    if (largest === undefined || reader === undefined) return undefined;
    return sizeOf(largest) > size || monotonicMs() - reader.sinceMs > PATIENCE_MS ? reader : undefined;
  }

  return {
    get size() {
      return totalSize();
    },

    /**
     * Takes a place until the response closes; null when there is none.
     *
     * @returns what sets the reader's deadline, once it is known how much is to be read.
     */
    hold(response: ServerResponse, accountId: string, size: number): ((bytes: number) => void) | null {
      const own = sizeOf(waiting.get(accountId) ?? []);
      if (own > 0 && own + size > each) return null;
      while (totalSize() + size > total) {
        const reader = readerToCutOff(own + size);
        if (reader === undefined) return null;
        reader.cutOff();
      }
      // The whole connection: a response behind another one has none of its own yet.
      const { socket } = response.req;
      let deadline: NodeJS.Timeout | undefined;
      const end = () => {
        clearTimeout(deadline);
        const readers = waiting.get(accountId);
        if (readers?.delete(reader) && readers.size === 0) waiting.delete(accountId);
      };
      const cutOff = () => {
        socket.destroy();
        end();
      };
      const reader: Reader = { size, sinceMs: monotonicMs(), cutOff };
      waiting.set(accountId, (waiting.get(accountId) ?? new Set()).add(reader));
      response.setTimeout(stalledMs, cutOff);
      response.once('close', end);
      return (bytes) => {
        deadline = setTimeout(cutOff, READ_OFF_MS + (bytes / minBytesPerS) * 1_000);
      };
    },
  };
}
