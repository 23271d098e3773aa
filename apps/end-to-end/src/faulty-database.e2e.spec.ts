import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  mountSmallDisk,
  signalPostgres,
  startPostgres,
  type RunningPostgres,
  type SmallDisk,
} from '@blog-content/local-infrastructure';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { eventually, startReceiver, type Receiver } from '@blog-content/testing';
import pg from 'pg';
import { createProject, publishThroughAll, type TestProject } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const DISK_MIB = 420;
/** More than the pages that tables have left. */
const LONG_CONTENT = `<p>${Array.from({ length: 12_000 }, (_, index) => (index * 7919).toString(36)).join(' ')}</p>`;

let folder: string;
let disk: SmallDisk;
let postgres: RunningPostgres;
let stack: Stack;
let receiver: Receiver;
let project: TestProject;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-faults-'));
  await chmod(folder, 0o711);
  disk = await mountSmallDisk(join(folder, 'disk'), DISK_MIB);
  postgres = await startPostgres({
    dataDir: join(folder, 'disk'),
    databaseUrl: '',
    // Segments of the log are reused, so that the disk gets full for tables first.
    settings: { min_wal_size: '96MB', max_wal_size: '96MB', fsync: 'off', autovacuum: 'off' },
  });
  await onServer(async (client) => {
    for (let segment = 0; segment < 6; segment++) {
      await client.query(`SELECT pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()`);
    }
    await client.query('CHECKPOINT');
  });
  receiver = await startReceiver();
  stack = await startStack({ databaseUrl: postgres.url });
  project = await createProject(stack.owner, { siteUrl: 'https://tea.example', receiverUrls: [receiver.url] });
  await publishThroughAll(stack.owner, project.id, 'before');
}, 120_000);

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await receiver?.close();
  await postgres?.stop();
  await disk?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function onServer<Result>(use: (client: pg.Client) => Promise<Result>, database = 'postgres'): Promise<Result> {
  const client = new pg.Client({ connectionString: postgres.url(database) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly id?: string; readonly title?: string; readonly detail?: string };
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${stack.local.origin}/blog/api/v1/owner/projects/${project.id}/${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.owner.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Answer['body'],
  };
}

async function readiness(service: ServiceName) {
  const answer = await fetch(`http://127.0.0.1:${stack.local.services[service].adminPort}/readyz`);
  const body = (await answer.json()) as {
    readonly status: string;
    readonly checks: Readonly<Record<string, { readonly status: string; readonly error?: string }>>;
  };
  return { httpStatus: answer.status, ...body };
}

const logOf = (service: ServiceName) =>
  readFileSync(stack.local.services[service].logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

const publicRead = async (slug: string) =>
  (
    await fetch(`${stack.local.origin}/blog/api/v1/public/blogs/${slug}`, {
      headers: { Authorization: `Bearer ${project.publicKey}` },
    })
  ).status;

/** How often each post has reached the receiver. */
function deliveriesBySlug(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const request of receiver.requests) {
    const { slug } = request.json<{ slug: string }>();
    counts.set(slug, (counts.get(slug) ?? 0) + 1);
  }
  return counts;
}

describe('a full disk', () => {
  it('refuses changes with 503 and its reason, serves reads, and loses and doubles nothing afterwards', async () => {
    await disk.fill();
    const accepted: string[] = [];
    let refused: Answer | undefined;
    for (let round = 0; round < 200 && refused === undefined; round++) {
      const slug = `full-${round}`;
      const created = await call('POST', 'blogs', { title: slug, slug, content: LONG_CONTENT });
      if (created.status === 503) refused = created;
      else if (created.status === 201) {
        const published = await call('POST', `blogs/${created.body.id}/publish`);
        if (published.status === 503) refused = published;
        else accepted.push(slug);
      }
    }
    expect(refused).toMatchObject({ retryAfter: '30', body: { title: 'Service Unavailable' } });
    expect(refused?.body.detail).toBe(
      'The service cannot store changes: the disk of its database is full. Reading still works.',
    );
    expect(await readiness('content-service')).toMatchObject({
      httpStatus: 200,
      status: 'degraded',
      checks: {
        database: { status: 'ok' },
        writes: {
          status: 'failed',
          error: expect.stringMatching(/^disk_full \(SQLSTATE 53100\): could not/) as string,
        },
      },
    });
    expect(logOf('content-service')).toContainEqual(
      expect.objectContaining({ event: 'http.database_fault', reason: 'disk_full', sqlstate: '53100' }),
    );
    expect(await publicRead('before')).toBe(200);
    expect((await call('GET', 'blogs')).status).toBe(200);

    await disk.free();
    await publishThroughAll(stack.owner, project.id, 'after-full');
    await eventually(() => {
      const counts = deliveriesBySlug();
      expect(accepted.filter((slug) => counts.get(slug) !== 1)).toEqual([]);
    });
    for (const slug of accepted) expect([slug, await publicRead(slug)]).toEqual([slug, 200]);
    expect([...deliveriesBySlug().values()].filter((count) => count !== 1)).toEqual([]);
  }, 120_000);
});

describe('a read-only database', () => {
  it('refuses changes with its reason, serves reads, and works again without a restart', async () => {
    const databases = Object.values(stack.local.databaseUrls).map((url) => new URL(url).pathname.slice(1));
    const setReadOnly = (value: 'on' | 'off') =>
      onServer(async (client) => {
        for (const database of databases) {
          await client.query(`ALTER DATABASE "${database}" SET default_transaction_read_only = ${value}`);
        }
        await client.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1) AND pid <> pg_backend_pid()',
          [databases],
        );
      });
    await setReadOnly('on');
    await eventually(async () => {
      const refused = await call('POST', 'blogs', { title: 'x', slug: 'read-only', content: '<p>x</p>' });
      expect(refused).toMatchObject({
        status: 503,
        retryAfter: '30',
        body: { detail: expect.stringContaining('its database is read-only at the moment') as string },
      });
    });
    for (const service of serviceNames) {
      await eventually(async () =>
        expect(await readiness(service)).toMatchObject({
          httpStatus: 200,
          status: 'degraded',
          checks: { writes: { error: expect.stringMatching(/^read_only \(SQLSTATE 25006\)/) as string } },
        }),
      );
    }
    await eventually(async () => expect(await publicRead('before')).toBe(200));
    await setReadOnly('off');
    for (const service of serviceNames) {
      await eventually(async () => {
        const { checks } = await readiness(service);
        expect(checks['writes']?.error ?? '').not.toContain('read_only');
      });
    }
    await publishThroughAll(stack.owner, project.id, 'after-read-only');
    expect(deliveriesBySlug().get('after-read-only')).toBe(1);
  }, 120_000);
});

describe('a frozen disk', () => {
  it('makes services unready within seconds and ends calls in time, and all work again afterwards', async () => {
    const dataDir = join(folder, 'disk');
    signalPostgres(dataDir, 'SIGSTOP');
    try {
      const answer = call('POST', 'blogs', { title: 'x', slug: 'frozen', content: '<p>x</p>' });
      for (const service of serviceNames) {
        expect(await readiness(service)).toMatchObject({
          httpStatus: 503,
          status: 'not_ready',
          checks: { database: { status: 'failed', error: 'no response within 2000 ms' } },
        });
      }
      expect(await answer).toMatchObject({ status: 503, retryAfter: '2' });
    } finally {
      signalPostgres(dataDir, 'SIGCONT');
    }
    for (const service of serviceNames) {
      await eventually(async () => expect((await readiness(service)).httpStatus).toBe(200));
    }
    await publishThroughAll(stack.owner, project.id, 'after-frozen');
    expect([...deliveriesBySlug().values()].filter((count) => count !== 1)).toEqual([]);
  }, 120_000);
});
