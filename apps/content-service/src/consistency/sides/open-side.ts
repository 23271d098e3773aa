import { openPool } from '@blog-content/postgres';
import type { Pool } from 'pg';

const STATEMENT_TIMEOUT_MS = 60_000;

/** Opens a database of a service for reading: one statement at a time, and none that changes anything. */
export function openSide(connectionString: string): Pool {
  return openPool(
    {
      connectionString,
      max: 1,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'check-consistency',
      // A pooler may not pass on what a connection begins with.
      verify: (client, done) => {
        client.query('SET default_transaction_read_only = on').then(
          () => done(),
          (error: unknown) => done(error as Error),
        );
      },
    },
    () => undefined,
  );
}

/** The smallest UUID: pages begin behind it. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
