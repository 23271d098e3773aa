import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** How long a migration waits for its server to answer, and how often it looks. */
export const WAIT_MS = 60_000;
const PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL's classes and codes of a server that is starting, stopping, or full: it will answer in a while. */
const NOT_YET = /^(?:08|53|57P0[1-3])/;

/** The server was not to be reached for as long as was waited for it. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
}

/**
 * Resolves when the server of `databaseUrl` answers, even with an error: a job that starts with its database does not
 * fail because it was faster. `onWaiting` is told once.
 *
 * @throws DatabaseUnreachableError after `waitMs`, with the last reason
 */
export async function waitForDatabase(databaseUrl: string, waitMs: number, onWaiting: () => void): Promise<void> {
  const end = performance.now() + waitMs;
  for (let tries = 1; ; tries += 1) {
    const reason = await tryToConnect(databaseUrl);
    if (reason === null) return;
    if (performance.now() >= end) {
      const { host } = new URL(databaseUrl);
      throw new DatabaseUnreachableError(
        `The database at ${host} has not responded for ${Math.round(waitMs / 1_000)} s: ${reason.message}`,
        { cause: reason },
      );
    }
    if (tries === 1) onWaiting();
    await sleep(PAUSE_MS);
  }
}

/** Why the server cannot be reached; null when it answered, be it with a refusal. */
async function tryToConnect(databaseUrl: string): Promise<Error | null> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return error instanceof pg.DatabaseError && !NOT_YET.test(code) ? null : (error as Error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
