/** Most concurrent exports of one process, each of which holds a connection to the database. */
const MAX_EXPORTS = 3;
/** The least rate of a reader; how far it may fall behind that before it gives way to others. */
const MIN_BYTES_PER_S = 65_536;
const MAX_BEHIND_MS = 30_000;

/**
 * The places of the concurrent exports of one process. No reader keeps others out: who reads too slowly loses its
 * place as soon as another needs it. Whom nobody waits for may read as slowly as it likes.
 */
export interface ExportPlaces {
  /**
   * Takes a place. Whoever has one of these names already, and whoever is furthest behind when all places are taken,
   * gives way if it reads too slowly.
   *
   * @param holders whose it is; each of them has one at a time.
   * @returns null when there is none.
   */
  take(holders: readonly string[]): ExportPlace | null;
}

export interface ExportPlace {
  /** Aborted when another has got the place. */
  readonly lost: AbortSignal;
  /** Its reader is waited for, to take so many bytes. */
  awaitReader(bytes: number): void;
  /** Its reader has taken them. Until the next call it is not the reader who is waited for. */
  noteRead(): void;
  /** Calling it again does nothing. */
  leave(): void;
}

interface Place {
  readonly holders: readonly string[];
  /** By how much longer its reader was waited for than its bytes take at the least rate, in milliseconds. */
  behindMs(): number;
  giveUp(): void;
}

export function createExportPlaces(monotonicMs: () => number): ExportPlaces {
  const taken = new Set<Place>();

  /** Those that a newcomer cannot be beside. */
  const inTheWayOf = (holders: readonly string[]): Place[] => {
    const own = [...taken].filter((place) => place.holders.some((holder) => holders.includes(holder)));
    const others = [...taken].filter((place) => !own.includes(place));
    const fastestFirst = others.toSorted((one, other) => one.behindMs() - other.behindMs());
    return [...own, ...fastestFirst.slice(MAX_EXPORTS - 1)];
  };

  return {
    take(holders) {
      const inTheWay = inTheWayOf(holders);
      if (inTheWay.some((place) => place.behindMs() <= MAX_BEHIND_MS)) return null;
      for (const place of inTheWay) place.giveUp();

      const losing = new AbortController();
      let behindMs = 0;
      let awaited: { readonly sinceMs: number; readonly bytes: number } | null = null;
      const waitedMs = () => (awaited === null ? 0 : monotonicMs() - awaited.sinceMs);
      const place: Place = {
        holders,
        behindMs: () => behindMs + waitedMs(),
        giveUp() {
          taken.delete(place);
          losing.abort(new Error('The client reads too slowly, and another export is waiting.'));
        },
      };
      taken.add(place);
      return {
        lost: losing.signal,
        awaitReader: (bytes) => void (awaited = { sinceMs: monotonicMs(), bytes }),
        noteRead() {
          const dueMs = (1_000 * (awaited?.bytes ?? 0)) / MIN_BYTES_PER_S;
          behindMs = Math.max(0, behindMs + waitedMs() - dueMs);
          awaited = null;
        },
        leave: () => void taken.delete(place),
      };
    },
  };
}
