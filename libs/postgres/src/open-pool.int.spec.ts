import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createEmptyDatabase, eventually, startSilentRelay, type TestDatabase } from '@blog-content/testing';
import type { Pool } from 'pg';
import { openPool, type OpenPoolConfig } from './open-pool.ts';

/** "Ready for query", with no transaction open: the last of a statement's answer (PostgreSQL's protocol, 53.7). */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const FIELDS = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command'];

let testDatabase: TestDatabase;
let lost: Error[];
let pool: Pool;

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
});

afterAll(() => testDatabase.drop());

beforeEach(() => {
  lost = [];
});

afterEach(() => pool.end());

function open(url: string, config: OpenPoolConfig = {}): void {
  pool = openPool({ connectionString: url, max: 1, ...config }, (error) => lost.push(error));
}

const ofTheServer = expect.objectContaining({ code: '57P01' }) as Error;

describe('a connection that the server ends', () => {
  it('is replaced when it was idle', async () => {
    open(testDatabase.url);
    await terminate(await backendOf());
    await eventually(() => expect(lost).toEqual([ofTheServer]));
    await expect(backendOf()).resolves.toBeGreaterThan(0);
  });

  it('rejects the statement under way', async () => {
    open(testDatabase.url);
    const pid = await backendOf();
    const sleeping = pool.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    await terminate(pid);
    await expect(sleeping).resolves.toEqual(ofTheServer);
    await expect(backendOf()).resolves.toBeGreaterThan(0);
  });

  it('rejects the next statement of a transaction that was between two', async () => {
    open(testDatabase.url);
    const client = await pool.connect();
    await client.query('BEGIN');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await terminate(rows[0]?.pid ?? 0);
    await eventually(() => expect(lost).toEqual([ofTheServer]));
    await expect(client.query('COMMIT')).rejects.toThrow('not queryable');
    client.release();
    await expect(backendOf()).resolves.toBeGreaterThan(0);
    expect(lost).toHaveLength(1);
  });

  it('rejects what it was handed to in that moment', async () => {
    using relay = await startRelay(testDatabase.url);
    open(relay.url);
    await backendOf();
    relay.endAfterNextAnswer();
    const [, client] = await Promise.all([pool.query('SELECT 1'), pool.connect()]);
    await expect(client.query('SELECT 2')).rejects.toThrow('not queryable');
    client.release();
    expect(lost).toEqual([ofTheServer]);
    await expect(backendOf()).resolves.toBeGreaterThan(0);
  });
});

describe('a session', () => {
  it('is in UTC for any time zone of the database', async () => {
    const elsewhere = await createEmptyDatabase();
    open(elsewhere.url);
    const name = new URL(elsewhere.url).pathname.slice(1);
    await pool.query(`ALTER DATABASE "${name}" SET TimeZone = 'Europe/Berlin'`);
    await pool.end();
    open(elsewhere.url);
    const { rows } = await pool.query(
      "SELECT '2026-03-29 02:30'::timestamptz::text AS at, current_setting('TimeZone')",
    );
    expect(rows).toEqual([{ at: '2026-03-29 02:30:00+00', current_setting: 'UTC' }]);
    await pool.end();
    await elsewhere.drop();
    open(testDatabase.url);
  });
});

describe('a database that does not answer', () => {
  const SILENT = 'The database did not respond within 2000 ms.';

  it('costs a statement its time-out, and no connection that was open then is used again', async () => {
    await using relay = await startSilentRelay(testDatabase.url);
    open(relay.url, { max: 3, statement_timeout: 1_000 });
    const before = await Promise.all([backendOf(), backendOf(), backendOf()]);
    expect(new Set(before).size).toBe(3);
    relay.silence();
    await expect(backendOf()).rejects.toThrow(SILENT);
    const after = await Promise.all([backendOf(), backendOf(), backendOf()]);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    expect(lost.map(({ message }) => message)).toEqual([SILENT, SILENT, SILENT]);
  });

  it('destroys the connection of a transaction: nobody waits for its rollback, and nobody gets it as it is', async () => {
    await using relay = await startSilentRelay(testDatabase.url);
    open(relay.url, { statement_timeout: 1_000 });
    const client = await pool.connect();
    await client.query('BEGIN');
    relay.silence();
    await expect(client.query('SELECT 1')).rejects.toThrow(SILENT);
    await expect(client.query('ROLLBACK')).rejects.toThrow('not queryable');
    client.release();
    await expect(backendOf()).resolves.toBeGreaterThan(0);
  });

  it('gives a statement the time that the connection string says, before any other', async () => {
    await using relay = await startSilentRelay(testDatabase.url);
    open(`${relay.url}?statement_timeout=1000`, { statement_timeout: 60_000 });
    const { rows } = await pool.query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '1s' }]);
    relay.silence();
    await expect(backendOf()).rejects.toThrow(SILENT);
  });

  it('has its statements ended by the server when it works on them for too long, which costs no connection', async () => {
    open(testDatabase.url, { statement_timeout: 1_000 });
    const client = await pool.connect();
    await expect(client.query('SELECT pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    await client.query('SELECT 1');
    client.release();
    expect(lost).toEqual([]);
  });

  it('is waited for five seconds by every pool that does not state another time', async () => {
    open(testDatabase.url);
    expect(pool.options).toMatchObject({ connectionTimeoutMillis: 5_000, keepAlive: true });
    const settings = ['statement_timeout', 'idle_in_transaction_session_timeout'];
    const { rows } = await pool.query(
      'SELECT name, setting FROM pg_settings WHERE name = ANY ($1::text[]) ORDER BY name DESC',
      [settings],
    );
    expect(rows).toEqual([
      { name: 'statement_timeout', setting: '5000' },
      { name: 'idle_in_transaction_session_timeout', setting: '10000' },
    ]);
  });
});

async function backendOf(): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}

async function terminate(pid: number): Promise<void> {
  const other = openPool({ connectionString: testDatabase.url, max: 1 }, () => undefined);
  try {
    const { rows } = await other.query<{ done: boolean }>('SELECT pg_terminate_backend($1) AS done', [pid]);
    expect(rows).toEqual([{ done: true }]);
  } finally {
    await other.end();
  }
}

/** A relay that makes two messages of the server arrive in one piece, as they may when it is quick. */
async function startRelay(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const upstreamPort = Number(url.port);
  let isEnding = false;
  const server = createServer((client) => {
    const upstream = connect(upstreamPort, url.hostname);
    client.pipe(upstream);
    upstream.on('data', (piece: Buffer) => {
      const isLast = isEnding && piece.subarray(-READY.length).equals(READY);
      if (isLast) isEnding = false;
      client.write(isLast ? Buffer.concat([piece, fatalError()]) : piece);
    });
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    endAfterNextAnswer() {
      isEnding = true;
    },
    [Symbol.dispose]() {
      server.close();
    },
  };
}

function fatalError(): Buffer {
  const fields = Buffer.from(`${FIELDS.join('\0')}\0\0`, 'latin1');
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
