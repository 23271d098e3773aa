import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { startPostgres, type RunningPostgres } from '@blog-content/local-infrastructure';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseUnreachableError, waitForDatabase } from './wait-for-database.ts';

let folder: string;
let postgres: RunningPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-wait-'));
  const databaseUrl = process.env['TEST_DATABASE_URL'];
  postgres = await startPostgres({ dataDir: folder, databaseUrl, settings: { fsync: 'off' }, disposable: true });
});

afterAll(async () => {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a migration', () => {
  it('waits for a database that comes later, and says so once', async () => {
    const url = new URL(postgres.url('postgres'));
    const real = { host: url.hostname, port: Number(url.port) };
    const door = createServer((client) => client.pipe(connect(real.port, real.host)).pipe(client));
    door.on('connection', (socket) => socket.on('error', () => undefined));
    door.listen(0, '127.0.0.1');
    await once(door, 'listening');
    const { port } = door.address() as AddressInfo;
    door.close();
    await once(door, 'close');
    url.host = `127.0.0.1:${port}`;

    const opened = Promise.withResolvers<void>();
    let told = 0;
    const waiting = waitForDatabase(url.href, 60_000, () => {
      told += 1;
      door.listen(port, '127.0.0.1', opened.resolve);
    });
    await opened.promise;
    await waiting;
    expect(told).toBe(1);
    door.close();
  });

  it('resolves when the server answers that there is no such database yet', async () => {
    await waitForDatabase(postgres.url('of_nobody_yet'), 0, () => undefined);
  });

  it('names the server that has not answered, and for how long', async () => {
    const waiting = waitForDatabase('postgresql://name:hidden@127.0.0.1:1/content', 1_000, () => undefined);
    await expect(waiting).rejects.toThrow(DatabaseUnreachableError);
    await expect(waiting).rejects.toThrow(/The database at 127\.0\.0\.1:1 has not responded for 1 s: .*ECONNREFUSED/);
  });
});
