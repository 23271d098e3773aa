import { createSecretBox, parseEncryptionKeys, SEALED_COLUMNS } from '@blog-content/credentials';
import type { SealedColumn } from '@blog-content/credentials';
import { resealColumn, type Unopened } from './reseal.ts';
import type { SealedTextStore } from './sealed-text-store.ts';

export interface EncryptionKeyRotation {
  readonly store: SealedTextStore;
  /** The text of `ENCRYPTION_KEYS`. */
  readonly keys: string;
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  readonly monotonicMs: () => number;
}

const PROGRESS_EVERY_MS = 2_000;
const MAX_SHOWN = 20;
const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`;
const counted = (count: number, noun: string) => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Re-encrypts everything in a service's database with the first of its keys, and says which of the others may go.
 *
 * @returns whether no value needs another key than the first.
 * @throws Error when the database isn't that of a service.
 */
export async function rotateEncryptionKey(rotation: EncryptionKeyRotation): Promise<boolean> {
  const { store, keys, isDry, signal, print, monotonicMs } = rotation;
  const [first, ...others] = parseEncryptionKeys(keys).map(({ id }) => id) as [string, ...string[]];
  const [service, columns] = await serviceOf(store);
  print(`${isDry ? 'Dry run. ' : ''}Database of ${service}, sealing with key ${first}`);

  const unopened: Unopened[] = [];
  let locked = 0;
  const width = Math.max(...columns.map((column) => nameOf(column).length));
  for (const column of columns) {
    let printedAt = monotonicMs();
    const line = (what: string) => print(`  ${nameOf(column).padEnd(width)}  ${what}`);
    const done = await resealColumn(column, {
      store,
      box: createSecretBox(keys),
      keyId: first,
      isDry,
      signal,
      onProgress: (_column, sealed) => {
        if (monotonicMs() - printedAt < PROGRESS_EVERY_MS) return;
        printedAt = monotonicMs();
        line(`${counted(sealed, 'value')} so far…`);
      },
    });
    line(`${counted(done.sealed, 'value')} ${isDry ? 'to re-encrypt' : 're-encrypted'}`);
    unopened.push(...done.unopened);
    locked += done.locked;
  }

  const byKey = await countAll(store, columns);
  print(
    `Values by key: ${[...byKey].map(([key, count]) => `${key || 'none'} ${count.toLocaleString('en-US')}`).join(', ') || 'none'}`,
  );
  for (const { column, owner, why } of unopened.slice(0, MAX_SHOWN))
    print(`Can't open ${nameOf(column)} of ${owner}. ${why}`);
  if (unopened.length > MAX_SHOWN) print(`…and ${counted(unopened.length - MAX_SHOWN, 'value')} more`);
  if (unopened.length > 0) {
    print('Add the missing key behind the first one and run the command again, or have these values saved again.');
  }
  if (locked > 0) print(`${counted(locked, 'value')} stayed locked by other transactions. Run the command again.`);
  return verdict({ first, others, byKey, isDry, print });
}

async function serviceOf(store: SealedTextStore): Promise<[service: string, columns: readonly SealedColumn[]]> {
  for (const [service, columns] of Object.entries(SEALED_COLUMNS)) {
    if (await store.hasTable(columns[0].table)) return [service, columns];
  }
  throw new Error(
    'DATABASE_URL names a database without the tables of a service. Use the environment of content-service, ' +
      'public-read-service or webhook-dispatcher.',
  );
}

async function countAll(store: SealedTextStore, columns: readonly SealedColumn[]): Promise<Map<string, number>> {
  const sum = new Map<string, number>();
  for (const column of columns) {
    for (const [key, count] of await store.count(column)) sum.set(key, (sum.get(key) ?? 0) + count);
  }
  return sum;
}

interface Verdict extends Pick<EncryptionKeyRotation, 'isDry' | 'print'> {
  readonly first: string;
  readonly others: readonly string[];
  readonly byKey: ReadonlyMap<string, number>;
}

function verdict({ first, others, byKey, isDry, print }: Verdict): boolean {
  const needed = others.filter((key) => (byKey.get(key) ?? 0) > 0);
  for (const key of needed) print(`${key} must stay: ${counted(byKey.get(key) ?? 0, 'value')} sealed with it.`);
  const free = others.filter((key) => !needed.includes(key));
  const missing = [...byKey.keys()].filter((key) => key !== first && !others.includes(key));
  for (const key of free) {
    print(
      `${key} may go: 0 values need it. Remove it from ENCRYPTION_KEYS, and keep it with the backups made until now.`,
    );
  }
  const isDone = needed.length === 0 && missing.length === 0;
  if (isDone && others.length === 0) print(`${first} is the only key, and every value is sealed with it.`);
  if (isDry && !isDone) print('Nothing was changed.');
  return isDone;
}
