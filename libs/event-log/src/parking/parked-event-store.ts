import { inTransaction, openPool } from '@blog-content/postgres';
import type { PoolClient } from 'pg';
import type { ReceivedEvent } from '../messages/envelope.ts';

/** A parked event, with what is known of it. */
export interface ParkedEvent {
  readonly topic: string;
  /** What waits for each other: a blog, or what else the topic’s events are of. */
  readonly key: string;
  readonly event: ReceivedEvent;
}

/** A key whose events wait, as people are told of it. */
export interface ParkedKey {
  readonly topic: string;
  readonly key: string;
  readonly event_id: string;
  readonly type: string;
  readonly project_id: string | null;
  readonly blog_id: string | null;
  readonly partition: number;
  readonly offset: string;
  readonly error: string;
  readonly failures: number;
  readonly waiting: number;
  readonly parked_at: Date;
  readonly retry_at: Date;
}

/** Longest error kept, in characters. */
const MAX_ERROR = 2_000;
/** Events of a topic that may wait in all. */
const MAX_PARKED_EVENTS = 10_000;
/** A key waits as long again as it has been parked: from 30 s to 10 minutes. */
const RETRY_INTERVAL_SQL = `LEAST(interval '10 minutes', GREATEST(interval '30 s', now() - parked_at))`;

const INSERT = `
  INSERT INTO parked_event (topic, key, event_id, partition, "offset", project_id, blog_id, event, error, failures, retry_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + interval '30 s')
  ON CONFLICT (topic, event_id) DO NOTHING`;

/** A lock's holder may be handling an event meanwhile. */
const TIME_OUTS = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };
/** One for a key that is tried again, one for everything else. */
const CONNECTIONS = 2;
/** Nothing stays connected while nothing is parked. */
const IDLE_TIMEOUT_MS = 1_000;

/** The table of parked events, on connections that last as long as they are needed. */
export function createParkedEventStore(databaseUrl: string) {
  const pool = openPool(
    {
      connectionString: databaseUrl,
      application_name: 'event-log parking',
      max: CONNECTIONS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      ...TIME_OUTS,
    },
    () => undefined,
  );

  /** With the key to itself. Null when it must not wait and somebody else has it. */
  const locked = <Result>(
    topic: string,
    key: string,
    use: (client: PoolClient) => Promise<Result>,
    mustWait = true,
  ): Promise<Result | null> =>
    inTransaction(pool, 'BEGIN', async (client) => {
      const lock = mustWait ? 'pg_advisory_xact_lock' : 'pg_try_advisory_xact_lock';
      const { rows } = await client.query<{ taken: unknown }>(
        `SELECT ${lock}(hashtextextended('parked_event ' || $1 || ' ' || $2, 0)) AS taken`,
        [topic, key],
      );
      return rows[0]?.taken === false ? null : use(client);
    });

  const insert = (client: PoolClient, { topic, key, event }: ParkedEvent, error: string | null, failures: number) =>
    client.query(INSERT, [
      topic,
      key,
      event.id,
      event.partition,
      event.offset,
      idOf(event, 'project_id'),
      idOf(event, 'blog_id'),
      JSON.stringify(event),
      error?.slice(0, MAX_ERROR) ?? null,
      failures,
    ]);

  return {
    /** The keys of a topic that have events waiting. */
    keysOf: async (topic: string): Promise<Set<string>> => {
      const { rows } = await pool.query<{ key: string }>(
        'SELECT DISTINCT key FROM parked_event WHERE topic = $1 LIMIT 10000',
        [topic],
      );
      return new Set(rows.map(({ key }) => key));
    },

    /** Parks an event that could not be handled. False when too many wait already. */
    park: (parked: ParkedEvent, error: string, failures: number): Promise<boolean> =>
      locked(parked.topic, parked.key, async (client) => {
        if (await isFull(client, parked.topic)) return false;
        await insert(client, parked, error, failures);
        return true;
      }).then((result) => result === true),

    /** Lets events wait behind those of their key. `free`: none waits any more, and nothing was stored. */
    parkBehind: (topic: string, key: string, events: readonly ReceivedEvent[]): Promise<'waits' | 'free' | 'full'> =>
      locked(topic, key, async (client) => {
        const { rowCount } = await client.query('SELECT FROM parked_event WHERE topic = $1 AND key = $2 LIMIT 1', [
          topic,
          key,
        ]);
        if (rowCount === 0) return 'free';
        if (await isFull(client, topic)) return 'full';
        for (const event of events) await insert(client, { topic, key, event }, null, 0);
        return 'waits';
      }).then((result) => result ?? 'full'),

    /** The keys of a topic whose first event is due for another attempt. */
    dueKeysOf: async (topic: string): Promise<string[]> => {
      const { rows } = await pool.query<{ key: string }>(
        `SELECT key FROM (
           SELECT DISTINCT ON (key) key, retry_at FROM parked_event WHERE topic = $1 ORDER BY key, position
         ) AS first WHERE retry_at <= now() ORDER BY retry_at LIMIT 100`,
        [topic],
      );
      return rows.map(({ key }) => key);
    },

    /**
     * Handles the events of a key, one after the other, and deletes each. Ends with the first that fails, which is due
     * again later, or when `stopping` is aborted. Null when another process is at it.
     */
    retry: (
      topic: string,
      key: string,
      handle: (event: ReceivedEvent) => Promise<void>,
      stopping: AbortSignal,
    ): Promise<{ readonly handled: number; readonly error?: unknown } | null> =>
      locked(
        topic,
        key,
        async (client) => {
          let handled = 0;
          for (; !stopping.aborted; handled++) {
            const { rows } = await client.query<{ position: string; event: string }>(
              'SELECT position, event FROM parked_event WHERE topic = $1 AND key = $2 ORDER BY position LIMIT 1',
              [topic, key],
            );
            const [first] = rows;
            if (first === undefined) break;
            try {
              await handle(JSON.parse(first.event) as ReceivedEvent);
            } catch (error) {
              await client.query(
                `UPDATE parked_event SET error = $2, failures = failures + 1, retry_at = now() + ${RETRY_INTERVAL_SQL}
                 WHERE position = $1`,
                [first.position, describe(error).slice(0, MAX_ERROR)],
              );
              return { handled, error };
            }
            await client.query('DELETE FROM parked_event WHERE position = $1', [first.position]);
          }
          return { handled };
        },
        false,
      ),

    /** Every key with its first event, the longest parked first. */
    list: async (): Promise<ParkedKey[]> => {
      const { rows } = await pool.query<ParkedKey & { event: string }>(
        `SELECT * FROM (
           SELECT DISTINCT ON (topic, key) topic, key, event_id, partition, "offset", project_id, blog_id, event,
             coalesce(error, '') AS error, failures, parked_at, retry_at,
             count(*) OVER (PARTITION BY topic, key)::int - 1 AS waiting
           FROM parked_event ORDER BY topic, key, position
         ) AS first ORDER BY parked_at LIMIT 1000`,
      );
      return rows.map(({ event, ...key }) => ({ ...key, type: (JSON.parse(event) as ReceivedEvent).type }));
    },

    /** Makes a key due now. */
    makeDue: async (key: string): Promise<void> => {
      await pool.query('UPDATE parked_event SET retry_at = now() WHERE key = $1', [key]);
    },

    /** A parked event; null when there is none with this id. */
    find: async (eventId: string): Promise<(ParkedEvent & { readonly isFirst: boolean }) | null> => {
      const { rows } = await pool.query<{ topic: string; key: string; event: string; is_first: boolean }>(
        `SELECT topic, key, event, NOT EXISTS (
           SELECT FROM parked_event AS earlier
           WHERE earlier.topic = parked_event.topic AND earlier.key = parked_event.key
             AND earlier.position < parked_event.position
         ) AS is_first
         FROM parked_event WHERE event_id::text = $1`,
        [eventId],
      );
      const [row] = rows;
      return row === undefined
        ? null
        : { topic: row.topic, key: row.key, event: JSON.parse(row.event) as ReceivedEvent, isFirst: row.is_first };
    },

    /** Deletes a parked event for good, and makes those behind it due. */
    skip: ({ topic, key, event }: ParkedEvent): Promise<unknown> =>
      locked(topic, key, async (client) => {
        await client.query('DELETE FROM parked_event WHERE topic = $1 AND event_id = $2', [topic, event.id]);
        await client.query('UPDATE parked_event SET retry_at = now() WHERE topic = $1 AND key = $2', [topic, key]);
      }),
    close: () => pool.end(),
  };
}

export type ParkedEventStore = ReturnType<typeof createParkedEventStore>;

async function isFull(client: PoolClient, topic: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM parked_event WHERE topic = $1 OFFSET $2 LIMIT 1', [
    topic,
    MAX_PARKED_EVENTS - 1,
  ]);
  return rowCount === 1;
}

/** A field of the data that names what an event is of. */
export function idOf({ data }: ReceivedEvent, field: 'project_id' | 'blog_id'): string | null {
  const id = (data as Record<string, unknown> | null)?.[field];
  return typeof id === 'string' ? id : null;
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
