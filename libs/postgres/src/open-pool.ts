import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { OPTIONS, TIMEOUTS } from './session-defaults.ts';

/** How long a connection may take to be made, or to become free. */
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * The server ends a statement that takes too long; when it has not done so after this much more, the connection is
 * silent.
 */
const SILENCE_MS = 1_000;
/** A query every few seconds should not have to connect and prepare its statements again. */
const IDLE_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_AFTER_MS = 5_000;

/** What `pg` takes, but for `query_timeout`: after it the connection is used on, with the statement still under way. */
export interface OpenPoolConfig extends Omit<PoolConfig, 'query_timeout' | 'statement_timeout'> {
  /** In milliseconds; 5,000 when not given, here or as `?statement_timeout=` of the connection string. */
  readonly statement_timeout?: number;
  /**
   * Shared by the pools that a process has of one server: what silences a connection of one has silenced the idle ones
   * of all.
   */
  readonly idle?: Set<PoolClient>;
  /** Told of the error of each statement that fails. */
  readonly onFailed?: ((error: unknown) => void) | undefined;
}

/**
 * Opens a pool of connections to PostgreSQL, which connects on first use. A connection that breaks, at any moment, is
 * reported to `onLost` at most once and replaced when it is next needed; a statement under way on it rejects.
 *
 * Its sessions are in UTC, unless the connection string has `options` of its own. Nothing waits for long: connections,
 * statements and transactions have the time-outs above unless `config` has others. A connection that leaves a statement
 * unanswered is destroyed, and with it those that are idle: what silences one, as a fail-over does, has silenced all
 * that were open.
 */
export function openPool(
  { idle = new Set(), onFailed = ignore, ...config }: OpenPoolConfig,
  onLost: (error: Error) => void,
): Pool {
  // What the connection string says is what pg tells the server.
  const statementTimeoutMs =
    statementTimeoutIn(config.connectionString) ?? config.statement_timeout ?? TIMEOUTS.statement_timeout;
  const pool = new Pool({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: OPTIONS,
    pipeline: true,
    ...TIMEOUTS,
    ...config,
    statement_timeout: statementTimeoutMs,
  });
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));

  // pg's pool listens to a connection only while it is idle, and an error without a listener ends the process.
  pool.on('connect', (client) => {
    client.once('error', onLost);
    client.on('error', ignore);
    const onSilent = (error: Error) => {
      for (const silent of [client, ...idle]) silent.connection.stream.destroy(error);
    };
    watchStatements(client, statementTimeoutMs + SILENCE_MS, { onSilent, onFailed });
  });
  // What an idle connection has told its own listener comes once more from the pool.
  pool.on('error', ignore);
  return pool;
}

function statementTimeoutIn(connectionString = ''): number | undefined {
  const given = URL.parse(connectionString)?.searchParams.get('statement_timeout') ?? '';
  return /^[1-9]\d*$/.test(given) ? Number(given) : undefined;
}

/** Calls `onSilent` when a statement has had no answer after `timeoutMs`, and `onFailed` when it has failed. */
function watchStatements(
  client: PoolClient,
  timeoutMs: number,
  { onSilent, onFailed }: { onSilent: (error: Error) => void; onFailed: (error: unknown) => void },
): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const watch = () =>
    setTimeout(() => onSilent(new Error(`The database did not respond within ${timeoutMs} ms.`)), timeoutMs);
  const watched = (...parameters: unknown[]): unknown => {
    const callback = parameters.at(-1);
    if (typeof callback === 'function') {
      const passOn = callback as (...answer: unknown[]) => void;
      query(...parameters.slice(0, -1), (...answer: unknown[]) => {
        clearTimeout(timer);
        if (answer[0]) onFailed(answer[0]);
        passOn(...answer);
      });
      const timer = watch();
      return;
    }
    const answer = query(...parameters) as Promise<unknown>;
    const timer = watch();
    return answer.then(
      (result) => {
        clearTimeout(timer);
        return result;
      },
      (error: unknown) => {
        clearTimeout(timer);
        onFailed(error);
        throw error;
      },
    );
  };
  client.query = watched as typeof client.query;
}

function ignore(): void {}
