import { Client, type QueryResultRow } from 'pg';

/** A statement that takes longer means that the connection is gone. */
const QUERY_TIMEOUT_MS = 15_000;

export interface SessionOptions {
  readonly databaseUrl: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Channel to LISTEN to. */
  readonly channel: string;
  /** Called with the payload of each notification. */
  onNotification(payload: string): void;
}

/**
 * One dedicated connection: what it holds (session advisory locks, LISTEN) lasts exactly as long as it does. It never
 * reconnects: who needs it opens another one and starts from the beginning.
 */
export interface Session {
  /** Runs one statement; statements of one session run one after the other. Rejects when the session is lost. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Aborted as soon as the connection is known to be gone, or closed. */
  readonly lost: AbortSignal;
  /** Ends the connection, and with it everything it holds. Idempotent. */
  close(): Promise<void>;
}

/** Opens a session that both ends give up within half a minute when the other one has vanished. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const client = new Client({
    connectionString: options.databaseUrl,
    application_name: options.name,
    connectionTimeoutMillis: 5_000,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('The connection has ended.')));
  client.on('notification', ({ payload }) => options.onNotification(payload ?? ''));
  let last: Promise<unknown> = Promise.resolve();
  // There are few, all written down in this library: each is parsed and planned once for as long as the session lasts.
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  };

  async function run<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    lost.signal.throwIfAborted();
    try {
      return (await client.query<Row>({ name: nameOf(text), text, values: [...values] })).rows;
    } catch (error) {
      // An answer of the server has a severity; anything else says nothing of what the statement has done.
      if ((error as { severity?: string }).severity === undefined) await close(error);
      throw error;
    }
  }

  async function close(reason: unknown = new Error('The session was closed.')): Promise<void> {
    lost.abort(reason);
    await client.end().catch(() => undefined);
  }

  try {
    await client.connect();
    // Nothing that a session writes (marks, committed offsets, heartbeats) does harm when a crash of the server loses it.
    await client.query(
      // A plan made while a table was empty reads all of it when it is not: every statement has an index to go by, and one
      // plan is as good as the next. Compiling one takes longer than running it.
      `SET synchronous_commit = off; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan; SET jit = off;
       SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;
       SET tcp_keepalives_count = 3; LISTEN ${options.channel}`,
    );
  } catch (error) {
    await close(error);
    throw error;
  }
  return {
    query(text, values = []) {
      const result = last.then(() => run(text, values));
      last = result.catch(() => undefined);
      return result as Promise<never>;
    },
    lost: lost.signal,
    close: () => close(),
  };
}
