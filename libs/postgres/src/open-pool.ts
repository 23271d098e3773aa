import { Pool, type PoolConfig } from 'pg';

/**
 * Opens a pool of connections to PostgreSQL, which connects on first use. A connection that breaks, at whatever moment,
 * is reported to `onLost` at most once and replaced when it is next needed; a statement under way on it rejects.
 */
export function openPool(config: PoolConfig, onLost: (error: Error) => void): Pool {
  const pool = new Pool(config);
  // pg's pool listens to a connection only while it is idle, and an error without a listener ends the process.
  pool.on('connect', (client) => {
    client.once('error', onLost);
    client.on('error', ignore);
  });
  // What an idle connection has told its own listener comes once more from the pool.
  pool.on('error', ignore);
  return pool;
}

function ignore(): void {}
