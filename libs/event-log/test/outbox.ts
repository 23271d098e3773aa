import { createEmptyDatabase } from '@blog-content/testing';
import { Client } from 'pg';
import { OUTBOX_TABLE_SQL, toBundled, toOutboxRow, type EventEnvelope } from '../src/index.ts';

/** A producing service's database with its outbox. */
export interface Outbox {
  readonly url: string;
  /** Inserts and commits. */
  insert(envelopes: readonly EventEnvelope[]): Promise<void>;
  /** Inserts as one bundle and commits. */
  insertBundle(envelopes: readonly EventEnvelope[]): Promise<void>;
  /** Inserts in a transaction that stays open until it is ended. */
  begin(envelopes: readonly EventEnvelope[]): Promise<{ commit(): Promise<void>; rollback(): Promise<void> }>;
  /** Rows that are not marked as published. */
  unpublished(): Promise<number>;
  /** Runs a statement. */
  query(sql: string): Promise<unknown[]>;
  drop(): Promise<void>;
}

export async function createOutbox(): Promise<Outbox> {
  const database = await createEmptyDatabase();
  const main = await connect(database.url);
  await main.query(OUTBOX_TABLE_SQL);
  return {
    url: database.url,
    insert: (envelopes) => insertRows(main, envelopes),
    async insertBundle(envelopes) {
      await main.query(
        `INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, bundle)
         VALUES (gen_random_uuid(), '', '', '', '', '', 'null', now(), $1::json)`,
        [`[${envelopes.map(toBundled).join(',')}]`],
      );
    },
    async begin(envelopes) {
      const client = await connect(database.url);
      await client.query('BEGIN');
      await insertRows(client, envelopes);
      const end = async (how: 'COMMIT' | 'ROLLBACK') => {
        await client.query(how);
        await client.end();
      };
      return { commit: () => end('COMMIT'), rollback: () => end('ROLLBACK') };
    },
    async unpublished() {
      const { rows } = await main.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM outbox WHERE published_at IS NULL',
      );
      return rows[0]?.count ?? 0;
    },
    query: async (sql) => (await main.query(sql)).rows as unknown[],
    async drop() {
      await main.end();
      await database.drop();
    },
  };
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function insertRows(client: Client, envelopes: readonly EventEnvelope[]): Promise<void> {
  const rows = envelopes.map((envelope) => toOutboxRow(envelope));
  await client.query(
    `INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time, traceparent)
     SELECT r->>'id', r->>'topic', r->>'type', r->>'source', r->>'key', r->>'partitionKey', r->'data',
            (r->>'time')::timestamptz, r->>'traceparent'
     FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS e (r, n) ORDER BY n`.replace(
      "r->>'id'",
      "(r->>'id')::uuid",
    ),
    [JSON.stringify(rows)],
  );
}
