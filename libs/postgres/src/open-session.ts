import { Socket } from 'node:net';
import { Client, type QueryResult, type QueryResultRow } from 'pg';
import { detectPooler } from './pooler.ts';

const TIMEOUT_MS = 5_000;
/** A process that waits for a session's locks ends it when the server has not heard of it for so long. */
export const SILENT_AFTER_S = 10;
/**
 * After so long without an answer a session may have been ended: less than the server waits, which counts from later
 * on.
 */
const TRUSTED_MS = 8_000;
const CLOSE_TIMEOUT_MS = 1_000;
const KEEP_ALIVE_AFTER_MS = 5_000;
/** The server finds out that the other end is gone. */
const KEEP_ALIVE_SETTINGS = { tcp_keepalives_idle: '5', tcp_keepalives_interval: '2', tcp_keepalives_count: '3' };

export interface SessionOptions {
  readonly databaseUrl: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Channels to LISTEN to. */
  readonly channels: readonly string[];
  /** Called for each notification, from before the session is open. */
  readonly onNotification: (payload: string, channel: string) => void;
  /** Server parameters of the session, as `SET` takes them. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * A connection that is not made, or a statement that is not answered, in so many milliseconds is given up; default 5
   * s.
   */
  readonly timeoutMs?: number;
}

/**
 * One dedicated connection: what it holds (session advisory locks, LISTEN) lasts exactly as long as it does. It never
 * reconnects: who needs it opens another one and starts from the beginning.
 */
export interface Session extends AsyncDisposable {
  /** Runs one statement; statements of one session run one after the other. Rejects when the session is lost. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Throws, and ends the session, unless the server has been heard of so recently that no other process can have ended
   * the session for its silence. To be called right before what only the holder may do: it sees that the process was
   * frozen.
   */
  assertHeld(): void;
  /** Aborted as soon as the connection is known to be gone, or closed. */
  readonly lost: AbortSignal;
  /** Ends the connection, and with it everything it holds. Idempotent. */
  close(): Promise<void>;
}

/** Opens a session. Its holder lets the server hear of it at least every few seconds. Rejects on a shared session. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const socket = new Socket();
  const client = new Client({
    connectionString: options.databaseUrl,
    application_name: options.name,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    stream: () => socket,
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('The connection has ended.')));
  client.on('notification', ({ payload, channel }) => options.onNotification(payload ?? '', channel));
  let last: Promise<unknown> = Promise.resolve();
  let heardAt = performance.now();
  // There are few, all written down in the code: each is parsed and planned once for as long as the session lasts.
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  };

  async function run<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    lost.signal.throwIfAborted();
    const sentAt = performance.now();
    try {
      const { rows } = await client.query<Row>({ name: nameOf(text), text, values: [...values] });
      heardAt = sentAt;
      return rows;
    } catch (error) {
      // An answer of the server has a severity; anything else says nothing of what the statement has done.
      if ((error as { severity?: string }).severity === undefined) destroy(error);
      throw error;
    }
  }

  /** Says no goodbye: a connection that is silent would never answer it. */
  function destroy(reason: unknown): void {
    lost.abort(reason);
    socket.destroy();
  }

  async function close(): Promise<void> {
    lost.abort(new Error('The session was closed.'));
    const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
    await client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  try {
    await client.connect();
    const settings = { ...KEEP_ALIVE_SETTINGS, ...options.settings };
    const statements = [
      ...Object.entries(settings).map(([name, value]) => `SET ${name} = ${client.escapeLiteral(value)}`),
      ...options.channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`),
      'SELECT pg_backend_pid() AS pid',
    ];
    const answers = (await client.query(statements.join('; '))) as unknown as readonly QueryResult<{ pid: number }>[];
    // Other clients of a pooler in transaction mode would have the locks that this one holds.
    const isDirect = answers.at(-1)?.rows[0]?.pid === (client as { processID?: number }).processID;
    if (!isDirect && (await detectPooler(options.databaseUrl)).mode === 'transaction') {
      throw new Error('A pooler in transaction mode has no sessions. Set DATABASE_SESSION_URL to a direct connection.');
    }
  } catch (error) {
    destroy(error);
    throw error;
  }
  return {
    query(text, values = []) {
      const result = last.then(() => run(text, values));
      last = result.catch(() => undefined);
      return result as Promise<never>;
    },
    assertHeld() {
      if (performance.now() - heardAt > TRUSTED_MS) destroy(new Error('The session has been silent for too long.'));
      lost.signal.throwIfAborted();
    },
    lost: lost.signal,
    close,
    [Symbol.asyncDispose]: close,
  };
}
