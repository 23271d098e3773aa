// PostgreSQL's disk gets full, then its databases read-only, then it freezes, each for a while and under load.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountSmallDisk, signalPostgres, startPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, signIn, startLocalServices } from '@blog-content/local-services';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { eventually, startReceiver } from '@blog-content/testing';
import pg from 'pg';
import type { Drill } from './parts/drill.ts';
import { publishSteadily } from './parts/publish-steadily.ts';

const DISK_MIB = 420;
const FAULT_MS = 20_000;
const QUIET_MS = 5_000;
/** More than the pages that tables have left. */
const CONTENT = `<p>${Array.from({ length: 12_000 }, (_, index) => (index * 7919).toString(36)).join(' ')}</p>`;

export const drill: Drill = async ({ folder, resources, say, check }) => {
  const dataDir = join(folder, 'disk');
  const disk = resources.use(await mountSmallDisk(dataDir, DISK_MIB));
  const postgres = await startPostgres({
    dataDir,
    databaseUrl: '',
    installed: true,
    // Segments of the log are reused, so that the disk gets full for tables first.
    settings: { min_wal_size: '96MB', max_wal_size: '96MB', fsync: 'off' },
  });
  resources.defer(() => postgres.stop());
  const onServer = async (use: (client: pg.Client) => Promise<void>) => {
    const client = new pg.Client({ connectionString: postgres.url('postgres') });
    await client.connect();
    await use(client);
    await client.end();
  };
  await onServer(async (client) => {
    for (let segment = 0; segment < 6; segment++) {
      await client.query(`SELECT pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()`);
    }
    await client.query('CHECKPOINT');
  });
  const receiver = await startReceiver();
  resources.defer(() => receiver.close());
  const settings = await createLocalSettings();
  const local = await startLocalServices({
    databaseUrl: postgres.url,
    settings,
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
  });
  resources.defer(() => local.stop());
  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const load = await publishSteadily({
    origin: local.origin,
    owner,
    receiver,
    content: CONTENT,
  });
  resources.defer(() => load.stop());
  await sleep(QUIET_MS);

  const readiness = async (service: ServiceName) => {
    const answer = await fetch(`http://127.0.0.1:${local.services[service].adminPort}/readyz`);
    const { status, checks } = (await answer.json()) as {
      readonly status: string;
      readonly checks: Readonly<Record<string, { readonly error?: string }>>;
    };
    const errors = Object.entries(checks).flatMap(([name, { error }]) => (error ? [`${name}: ${error}`] : []));
    return { status, text: `${service} is ${status} (${answer.status}) ${errors.join('; ')}` };
  };

  async function suffer(what: string, begin: () => Promise<void>, end: () => Promise<void>, status: string) {
    const before = load.counts();
    const publishedBefore = before.published.length;
    await begin();
    const beganAt = performance.now();
    await eventually(async () => (await readiness('content-service')).status === status, { timeoutMs: FAULT_MS });
    say(`${what}: noticed after ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
    for (const service of serviceNames) say(`  ${(await readiness(service)).text}`);
    await sleep(Math.max(0, FAULT_MS - (performance.now() - beganAt)));
    const during = load.counts();
    await end();
    const endedAt = performance.now();
    const stuckAt = load.counts().published.length;
    await eventually(() => load.counts().published.length > stuckAt + 3, { timeoutMs: 60_000 });
    say(
      `${what}: ${during.published.length - publishedBefore} publishes accepted and ${during.retried - before.retried} ` +
        `requests refused in ${FAULT_MS / 1_000} s; publishes again ${((performance.now() - endedAt) / 1_000).toFixed(1)} s after it`,
    );
    await sleep(QUIET_MS);
  }

  await suffer(
    'Full disk',
    () => disk.fill(),
    () => disk.free(),
    'degraded',
  );
  const databases = Object.values(local.databaseUrls).map((url) => new URL(url).pathname.slice(1));
  const setReadOnly = (value: 'on' | 'off') =>
    onServer(async (client) => {
      for (const name of databases) {
        await client.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${value}`);
      }
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1)', [
        databases,
      ]);
    });
  await suffer(
    'Read-only',
    () => setReadOnly('on'),
    () => setReadOnly('off'),
    'degraded',
  );
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => Promise.resolve(signalPostgres(dataDir, name));
  await suffer(
    'Frozen',
    () => signal('SIGSTOP'),
    () => signal('SIGCONT'),
    'not_ready',
  );

  await load.finish({ say, check });
  const readyAt = performance.now();
  await eventually(async () => (await readiness('content-service')).status === 'ready', { timeoutMs: 120_000 });
  say(`content-service is ready again, ${((performance.now() - readyAt) / 1_000).toFixed(1)} s after the last check`);
};
