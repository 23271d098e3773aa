import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { OPTIONS, TIMEOUTS } from './session-defaults.ts';

const TIMEOUT_MS = 5_000;
/** On a busy pool, others may take the server connection between two statements: then another round shows it. */
const ROUNDS = 3;
/** The statement exists already, or no longer: clients share connections, and the pooler doesn't track statements. */
const STATEMENT_STATES = new Set(['42P05', '26000']);
/** Of a pooler: the protocol allows it, the pooler doesn't (a startup parameter, a transaction). */
const PROTOCOL_VIOLATION = '08P01';

/** What is between a client and PostgreSQL, and what it does to sessions. */
export type Pooler =
  /** Nothing, as far as the server says. */
  | { readonly mode: 'none' }
  /** It rejects how our pools connect, or transactions, and says so. */
  | { readonly mode: 'refuses'; readonly message: string }
  | {
      /** `transaction`: statements of one client run in sessions that it shares with others. */
      readonly mode: 'session' | 'transaction';
      /** Whether a prepared statement can be used in the next transaction. */
      readonly keepsStatements: boolean;
      readonly timeZone: string;
      /** Whether the time limits of statements and idle transactions are set. */
      readonly hasTimeouts: boolean;
    };

/**
 * Finds out by what the server does whether a pooler is in between. A direct connection has the process ID that the
 * server told it at the start; PgBouncer tells one of its own. In transaction mode, a second client then reaches the
 * session that the first one just used. Rejects when the database doesn't answer.
 */
export async function detectPooler(databaseUrl: string): Promise<Pooler> {
  const first = open(databaseUrl);
  const second = open(databaseUrl);
  try {
    await first.connect();
    const { rows } = await first.query<{ pid: number; time_zone: string; has_timeouts: boolean }>(SETTINGS);
    const [server] = rows;
    if (server === undefined || server.pid === first.processID) return { mode: 'none' };
    await second.connect();
    return {
      ...(await watchSessions(first, second)),
      timeZone: server.time_zone,
      hasTimeouts: server.has_timeouts,
    };
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    if (code !== PROTOCOL_VIOLATION) throw error;
    return { mode: 'refuses', message };
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => undefined)));
  }
}

const SETTINGS = `
  SELECT pg_backend_pid() AS pid, current_setting('TimeZone') AS time_zone,
    current_setting('statement_timeout') <> '0' AND current_setting('idle_in_transaction_session_timeout') <> '0'
      AS has_timeouts`;

interface ClientWithId extends Client {
  /** What the server said at the start. */
  readonly processID: number | null;
}

function open(connectionString: string): ClientWithId {
  const client = new Client({
    connectionString,
    application_name: 'pooler check',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    options: OPTIONS,
    ...TIMEOUTS,
  });
  client.on('error', () => undefined);
  return client as ClientWithId;
}

async function watchSessions(first: Client, second: Client) {
  const statement = { name: `pooler_${randomUUID()}`, text: 'SELECT pg_backend_pid() AS pid' };
  const sessionOf = async (client: Client) => (await client.query<{ pid: number }>(statement)).rows[0]?.pid;
  try {
    const own = await sessionOf(first);
    for (let round = 0; round < ROUNDS; round++) {
      // It keeps the session to itself until the transaction ends.
      await second.query('BEGIN');
      const isShared = (await sessionOf(second)) === own || (await sessionOf(first)) !== own;
      await second.query('ROLLBACK');
      if (isShared) return { mode: 'transaction', keepsStatements: true } as const;
    }
    return { mode: 'session', keepsStatements: true } as const;
  } catch (error) {
    if (!STATEMENT_STATES.has((error as { code?: string }).code ?? '')) throw error;
    return { mode: 'transaction', keepsStatements: false } as const;
  }
}
