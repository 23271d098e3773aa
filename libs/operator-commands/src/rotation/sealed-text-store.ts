import { hash } from 'node:crypto';
import type { SealedColumn } from '@blog-content/credentials';
import { inTransaction } from '@blog-content/postgres';
import type { Pool, PoolClient } from 'pg';

/** A sealed text and where it is: its row stays there while it is locked. */
export interface SealedText {
  readonly row: string;
  readonly owner: string;
  readonly sealed: string;
}

/** How many texts each key has sealed; under `''`, those that name no key. */
export type CountsByKey = ReadonlyMap<string, number>;

const BATCH = 200;
/** Before the first row of a table. */
export const BEGINNING = '(0,0)';

export type SealedTextStore = ReturnType<typeof createSealedTextStore>;

/**
 * Sealed texts of a service's database. Names of tables and columns come from `SEALED_COLUMNS`. A walk goes by the
 * physical place of rows, so that it needs no index: what moves meanwhile is for the next walk.
 */
export function createSealedTextStore(pool: Pool) {
  const select = ({ table, column, owner }: SealedColumn, lock: '' | 'FOR NO KEY UPDATE SKIP LOCKED') => `
    SELECT ctid::text AS row, ${owner}::text AS owner, ${column} AS sealed FROM ${table}
    WHERE ctid > $1::tid AND ${column} IS NOT NULL AND NOT starts_with(${column}, $2) LIMIT ${BATCH} ${lock}`;
  return {
    /** Whether the database has the table. */
    async hasTable(table: string): Promise<boolean> {
      const { rows } = await pool.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
      return rows[0]?.found === true;
    },

    async count({ table, column }: SealedColumn): Promise<CountsByKey> {
      const { rows } = await pool.query<{ key: string; count: string }>(
        `SELECT coalesce(substring(${column} FROM '^v1\\.([A-Za-z0-9_-]{1,32})\\.'), '') AS key, count(*)
         FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1`,
      );
      return new Map(rows.map(({ key, count }) => [key, Number(count)]));
    },

    /** Texts after a row that do not begin with `prefix`; none at the end of the table. */
    async read(column: SealedColumn, after: string, prefix: string): Promise<readonly SealedText[]> {
      const { rows } = await pool.query<SealedText>(select(column, ''), [after, prefix]);
      return rows;
    },

    /**
     * Replaces texts after a row that do not begin with `prefix` by what `reseal` makes of them; null leaves one as it
     * is. All or nothing of them. Rows that others have locked are passed over, so that nobody waits.
     */
    replace(
      column: SealedColumn,
      after: string,
      prefix: string,
      reseal: (text: SealedText) => string | null,
    ): Promise<readonly SealedText[]> {
      return inTransaction(pool, 'BEGIN', async (client) => {
        const { rows } = await client.query<SealedText>(select(column, 'FOR NO KEY UPDATE SKIP LOCKED'), [
          after,
          prefix,
        ]);
        const made = rows.flatMap((text) => {
          const sealed = reseal(text);
          return sealed === null ? [] : [{ ...text, sealed }];
        });
        if (made.length > 0) {
          await client.query(
            `UPDATE ${column.table} SET ${column.column} = made.sealed
             FROM unnest($1::tid[], $2::text[]) AS made (row, sealed) WHERE ${column.table}.ctid = made.row`,
            [made.map(({ row }) => row), made.map(({ sealed }) => sealed)],
          );
          if (column.history !== undefined) await keepHistory(client, made);
        }
        return rows;
      });
    },
  };
}

/** What the delivery log names from now on; what it has named stays beside it. */
async function keepHistory(client: PoolClient, made: readonly SealedText[]): Promise<void> {
  const owners = made.map(({ owner }) => owner);
  await client.query(
    `UPDATE integration_headers SET replaced_at = now()
     WHERE integration_id = ANY($1::uuid[]) AND replaced_at IS NULL`,
    [owners],
  );
  await client.query(
    `INSERT INTO integration_headers (integration_id, hash, sealed_headers)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])`,
    [owners, made.map(({ sealed }) => hash('sha256', sealed, 'base64url')), made.map(({ sealed }) => sealed)],
  );
}
