import { setTimeout as sleep } from 'node:timers/promises';
import { sealedPrefix, SecretBoxError } from '@blog-content/credentials';
import type { SealContext, SealedColumn, SecretBox } from '@blog-content/credentials';
import { BEGINNING, type SealedText, type SealedTextStore } from './sealed-text-store.ts';

/** A text that none of the keys opens. */
export interface Unopened {
  readonly column: SealedColumn;
  readonly owner: string;
  readonly why: string;
}

export interface ResealOptions {
  readonly store: SealedTextStore;
  readonly box: SecretBox;
  /** The key that seals: the first one. */
  readonly keyId: string;
  /** Opens every text, and changes nothing. */
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  /** Told of each batch: how many texts of the column are re-encrypted by now. */
  readonly onProgress: (column: SealedColumn, sealed: number) => void;
}

export interface ResealedColumn {
  readonly sealed: number;
  readonly unopened: readonly Unopened[];
  /** Others kept these rows locked all the time. */
  readonly locked: number;
}

const PAUSE_MS = 250;
/** Transactions of services take milliseconds; what is locked for so long belongs to something else. */
const LOCKED_FOR_MS = 30_000;

/**
 * Re-encrypts every text of a column that another key than the first has sealed, batch by batch. It can be stopped at
 * any moment and begun again: a batch is changed as a whole, and what it has changed is passed over.
 */
export async function resealColumn(column: SealedColumn, options: ResealOptions): Promise<ResealedColumn> {
  const { store, keyId, isDry, signal, onProgress } = options;
  const prefix = sealedPrefix(keyId);
  let sealed = 0;
  let lastSealedAt = performance.now();
  for (;;) {
    const unopened = new Map<string, Unopened>();
    const reseal = (text: SealedText): string | null => {
      const made = resealed(column, text, options);
      if (typeof made === 'string') {
        sealed += 1;
        lastSealedAt = performance.now();
        return made;
      }
      unopened.set(text.sealed, made);
      return null;
    };
    for (let after = BEGINNING; ;) {
      signal.throwIfAborted();
      const before = sealed;
      const seen = await (isDry ? store.read(column, after, prefix) : store.replace(column, after, prefix, reseal));
      if (isDry) seen.forEach(reseal);
      const last = seen.at(-1);
      if (last === undefined) break;
      after = last.row;
      if (sealed > before) onProgress(column, sealed);
    }
    const found = [...unopened.values()];
    if (isDry) return { sealed, unopened: found, locked: 0 };
    const locked = remaining(await store.count(column), keyId) - found.length;
    if (locked <= 0 || performance.now() - lastSealedAt > LOCKED_FOR_MS) {
      return { sealed, unopened: found, locked: Math.max(0, locked) };
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

/** How many texts another key than `keyId` has sealed. */
function remaining(counts: ReadonlyMap<string, number>, keyId: string): number {
  let sum = 0;
  for (const [key, count] of counts) if (key !== keyId) sum += count;
  return sum;
}

function resealed(
  column: SealedColumn,
  { owner, sealed }: SealedText,
  { box }: Pick<ResealOptions, 'box'>,
): string | Unopened {
  // The columns are those that the contexts are made of.
  const context = `${column.purpose}:${owner}` as SealContext;
  try {
    return box.seal(box.open(sealed, context), context);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { column, owner, why: error.message };
  }
}
