import { repeat, type Logger, type Repetition } from '@blog-content/service-runtime';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';

/** A query that has a row if work of one kind is due. */
export type DueQuery = (now: Date) => Prisma.Sql;

/** Wakes the runners of all kinds whose work has become due, here or at another replica. */
export interface DueWatch extends Repetition {
  readonly add: (isDue: DueQuery, wake: () => void) => void;
}

/** One statement looks for all kinds, so that an idle service asks its database little. */
export function createDueWatch(database: Database, clock: () => Date, pollMs: number, logger: Logger): DueWatch {
  const kinds: { readonly isDue: DueQuery; readonly wake: () => void }[] = [];
  const look = async () => {
    if (kinds.length === 0) return;
    const now = clock();
    const looks = Prisma.join(kinds.map(({ isDue }) => Prisma.sql`EXISTS (${isDue(now)})`));
    const [found] = await database.$queryRaw<{ due: boolean[] }[]>`SELECT ARRAY[${looks}] AS due`;
    for (const [index, { wake }] of kinds.entries()) if (found?.due[index] === true) wake();
  };
  const repetition = repeat('due_work.look', pollMs, look, logger);
  return { add: (isDue, wake) => void kinds.push({ isDue, wake }), stop: () => repetition.stop() };
}
