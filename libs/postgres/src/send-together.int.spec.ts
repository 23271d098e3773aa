import type { Socket } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { createEmptyDatabase, startSilentRelay, type TestDatabase } from '@blog-content/testing';
import type { Pool, PoolClient } from 'pg';
import { openPool } from './open-pool.ts';
import { sendTogether } from './send-together.ts';

let testDatabase: TestDatabase;
let pool: Pool;
let client: PoolClient;

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  pool = openPool({ connectionString: testDatabase.url }, () => undefined);
  await pool.query('CREATE TABLE note (id integer PRIMARY KEY)');
});

beforeEach(async () => {
  await pool.query('TRUNCATE note');
  client = await pool.connect();
});

afterEach(() => client.release());

afterAll(async () => {
  await pool.end();
  await testDatabase.drop();
});

const notes = async () =>
  (await pool.query<{ id: number }>('SELECT id FROM note ORDER BY id')).rows.map(({ id }) => id);

describe('statements that are sent together', () => {
  it('have left before the first of them is answered', async () => {
    const socket = client.connection.stream as Socket;
    const answers = sendTogether(client, () => [
      client.query('SELECT pg_sleep(0.05)'),
      client.query({ name: 'later', text: 'SELECT $1::text', values: ['later'] }),
      client.query('SELECT 1'),
    ]);
    await nextIteration();
    const { bytesWritten } = socket;
    await answers;
    expect(socket.bytesWritten).toBe(bytesWritten);
  });

  it('are carried out in their order, each seeing what the one before did, and answered in it', async () => {
    const [, found, , gone] = await sendTogether(client, () => [
      client.query('INSERT INTO note VALUES (1)'),
      client.query<{ id: number }>('SELECT id FROM note'),
      client.query('DELETE FROM note WHERE id = $1', [1]),
      client.query('SELECT id FROM note'),
    ]);
    expect([found.rows, gone.rows]).toEqual([[{ id: 1 }], []]);
  });

  it('reject with the first failure once all are answered, and change nothing as a transaction', async () => {
    const together = sendTogether(client, () => [
      client.query('BEGIN'),
      client.query('INSERT INTO note VALUES (1)'),
      client.query('INSERT INTO note VALUES ($1)', [1]),
      client.query('INSERT INTO note VALUES (2)'),
      client.query('COMMIT'),
    ]);
    await expect(together).rejects.toMatchObject({ code: '23505' });
    expect(await notes()).toEqual([]);
    const { rows } = await client.query<{ one: number }>('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('all reject when the database falls silent', async () => {
    await using relay = await startSilentRelay(testDatabase.url);
    const relayed = openPool({ connectionString: relay.url, statement_timeout: 50 }, () => undefined);
    const silent = await relayed.connect();
    relay.silence();
    const statements = [1, 2, 3].map((id) => silent.query('INSERT INTO note VALUES ($1)', [id]));
    await expect(sendTogether(silent, () => statements)).rejects.toThrow('The database did not respond within');
    expect(await Promise.allSettled(statements)).toMatchObject(statements.map(() => ({ status: 'rejected' })));
    silent.release(true);
    await relayed.end();
  });
});
