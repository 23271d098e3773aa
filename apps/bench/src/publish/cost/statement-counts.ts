import type { LocalServices } from '@blog-content/local-services';
import { queryOnce } from '../../processes/databases.ts';

/**
 * How often each statement has run: calls by text, by database. All services share the event log's. The texts are those
 * of pg_stat_statements, without values.
 */
export type StatementCounts = Readonly<Record<string, ReadonlyMap<string, number>>>;

/** A statement of the publishes, with how often it runs for one. */
export interface CountedStatement {
  readonly text: string;
  readonly perPublish: number;
}

/** What a server needs so that the statements of its clients can be counted; `BEGIN` and `COMMIT` count. */
export const COUNTING = { shared_preload_libraries: 'pg_stat_statements' } as const;

/** Reads what has run so far in each of the services' databases. `serverUrl` is another database of that server. */
export async function readCounts(
  serverUrl: string,
  databaseUrls: LocalServices['databaseUrls'],
): Promise<StatementCounts> {
  const rows = await queryOnce<{ database: string; text: string; calls: string }>(
    serverUrl,
    `SELECT d.datname AS database, s.query AS text, sum(s.calls) AS calls
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid GROUP BY 1, 2`,
  );
  return Object.fromEntries(
    Object.entries(databaseUrls).map(([name, url]) => {
      const ofDatabase = rows.filter(({ database }) => database === new URL(url).pathname.slice(1));
      return [name, new Map(ofDatabase.map(({ text, calls }) => [text, Number(calls)]))];
    }),
  );
}

/** What ran between two readings. */
export function countsBetween(before: StatementCounts, after: StatementCounts): StatementCounts {
  return Object.fromEntries(
    Object.entries(after).map(([database, calls]) => [
      database,
      new Map([...calls].map(([text, count]) => [text, count - (before[database]?.get(text) ?? 0)])),
    ]),
  );
}

/** Statements of each database in all. */
export function totals(counts: StatementCounts): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).map(([database, calls]) => [
      database,
      [...calls.values()].reduce((sum, each) => sum + each, 0),
    ]),
  );
}

/**
 * The statements that a publish runs, by database. What ran in an idle time of the same length is taken off, and each
 * statement counts a whole number of times: what a timer adds to one publish of many counts as 0.
 */
export function statementsPerPublish(
  counted: { readonly counts: StatementCounts; readonly publishes: number; readonly ms: number },
  idle: { readonly counts: StatementCounts; readonly ms: number },
): Record<string, CountedStatement[]> {
  return Object.fromEntries(
    Object.entries(counted.counts).map(([database, calls]) => [
      database,
      [...calls]
        .map(([text, count]) => {
          const whenIdle = ((idle.counts[database]?.get(text) ?? 0) / idle.ms) * counted.ms;
          return { text, perPublish: Math.max(0, Math.round((count - whenIdle) / counted.publishes)) };
        })
        .filter(({ perPublish }) => perPublish > 0)
        .toSorted((a, b) => b.perPublish - a.perPublish),
    ]),
  );
}
