import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pgbouncerVersion, startPgbouncer, type RunningPgbouncer } from '@blog-content/local-infrastructure';
import { findPoolerProblems, openSession } from '@blog-content/postgres';
import { createEmptyDatabase, startReceiver, testDatabaseUrl, type TestDatabase } from '@blog-content/testing';
import pg from 'pg';
import { createProject, publishThroughAll } from './project.ts';
import { startStack } from './stack.ts';

/** As docs/operations.md tells operators to set it. */
const DOCUMENTED = {
  ignore_startup_parameters: 'options,statement_timeout,idle_in_transaction_session_timeout',
  default_pool_size: '5',
  max_client_conn: '200',
};
const [major, minor] = pgbouncerVersion();
/** It tracks prepared statements in transaction mode. */
const isNew = major > 1 || minor >= 21;

let folder: string;
let database: TestDatabase;
let pooler: RunningPgbouncer | undefined;
let warnings: object[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-pgbouncer-'));
  database = await createEmptyDatabase();
});
beforeEach(() => {
  warnings = [];
});
afterEach(async () => {
  await pooler?.stop();
  pooler = undefined;
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** PgBouncer in front of the tests' server. @returns the address of a database through it */
async function start(settings: Readonly<Record<string, string>>): Promise<(databaseUrl: string) => string> {
  pooler = await startPgbouncer({ databaseUrl: testDatabaseUrl('postgres'), dataDir: folder, settings });
  return pooler.through;
}
async function setForDatabase(...settings: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of settings) await client.query(`ALTER DATABASE "${name}" SET ${setting}`);
  await client.end();
}
const logger = { warn: (event: string, fields: object) => warnings.push({ event, ...fields }) };
const problemsOf = async (urls: Parameters<typeof findPoolerProblems>[0]) =>
  (await findPoolerProblems(urls, logger)).map(({ variable, message }) => `${variable} ${message}`);

describe('a pooler', () => {
  it('isn’t seen where there is none', async () => {
    expect(await problemsOf({ DATABASE_URL: database.url, EVENT_LOG_DATABASE_URL: database.url })).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('is refused in transaction mode for what needs a session, also with one connection', async () => {
    const through = await start({ ...DOCUMENTED, pool_mode: 'transaction', default_pool_size: '1' });
    const pooled = through(database.url);
    const needsSession = /uses a pooler in transaction mode, which can’t LISTEN or hold advisory locks/;
    expect(await problemsOf({ DATABASE_URL: pooled })).toEqual([expect.stringMatching(needsSession)]);
    expect((await problemsOf({ DATABASE_URL: pooled }))[0]).toContain(
      'set DATABASE_SESSION_URL to a direct connection',
    );
    const others = { DATABASE_SESSION_URL: pooled, EVENT_LOG_DATABASE_URL: pooled };
    expect(await problemsOf({ DATABASE_URL: database.url, ...others })).toEqual([
      expect.stringMatching(/^DATABASE_SESSION_URL uses a pooler in transaction mode/),
      expect.stringMatching(/^EVENT_LOG_DATABASE_URL uses a pooler in transaction mode/),
    ]);
  });

  it('is refused in transaction mode where it loses prepared statements', async () => {
    const through = await start({ ...DOCUMENTED, pool_mode: 'transaction' });
    const urls = { DATABASE_URL: through(database.url), DATABASE_SESSION_URL: database.url };
    expect(await problemsOf(urls)).toEqual(
      isNew ? [] : [expect.stringMatching(/loses prepared statements. Use PgBouncer 1.21 or later/)],
    );
  });

  it('is refused in statement mode, and when it rejects startup parameters', async () => {
    const statement = await start({ ...DOCUMENTED, pool_mode: 'statement' });
    expect(await problemsOf({ DATABASE_URL: statement(database.url) })).toEqual([
      expect.stringContaining('“transaction blocks not allowed in statement pooling mode”'),
    ]);
    await pooler?.stop();
    const strict = await start({ pool_mode: 'session' });
    expect(await problemsOf({ DATABASE_URL: strict(database.url) })).toEqual([
      expect.stringContaining('“unsupported startup parameter: statement_timeout”. See “PgBouncer”'),
    ]);
  });

  it('gives sessions in session mode, with a warning while it drops the timeouts', async () => {
    const through = await start({ ...DOCUMENTED, pool_mode: 'session' });
    expect(await problemsOf({ DATABASE_URL: through(database.url) })).toEqual([]);
    expect(warnings).toEqual([
      expect.objectContaining({ event: 'database.no_timeouts', variable: 'DATABASE_URL' }) as object,
    ]);
  });

  it('is refused while its sessions are in another time zone, and accepted with the documented settings', async () => {
    await setForDatabase(`TimeZone = 'Europe/Berlin'`);
    const through = await start({ ...DOCUMENTED, pool_mode: 'session' });
    // Newer ones pass on the zone that a client asks for.
    expect(await problemsOf({ DATABASE_URL: through(database.url) })).toEqual(
      isNew ? [] : [expect.stringContaining('in the time zone Europe/Berlin. Set TimeZone to UTC')],
    );
    await setForDatabase(`TimeZone = 'UTC'`, `statement_timeout = '5s'`, `idle_in_transaction_session_timeout = '10s'`);
    await pooler?.stop();
    const again = await start({ ...DOCUMENTED, pool_mode: 'session' });
    warnings = [];
    expect([await problemsOf({ DATABASE_URL: again(database.url) }), warnings]).toEqual([[], []]);
  });

  it('isn’t checked while the database is away, and then refuses sessions when it is back', async () => {
    const through = await start({ ...DOCUMENTED, pool_mode: 'transaction' });
    const databaseUrl = through(database.url);
    const session = openSession({ databaseUrl, name: 'test', channels: ['x'], onNotification: () => undefined });
    await expect(session).rejects.toThrow('Set DATABASE_SESSION_URL to a direct connection.');
    await pooler?.stop();
    expect(await problemsOf({ DATABASE_URL: databaseUrl })).toEqual([]);
    expect(warnings).toEqual([expect.objectContaining({ event: 'database.pooler_unchecked' }) as object]);
  });
});

describe('the product', () => {
  it('doesn’t start through a pooler in transaction mode alone, and says what to do', async () => {
    const throughPooler = await start({ ...DOCUMENTED, pool_mode: 'transaction' });
    const started = startStack({ throughPooler, environment: { all: { DATABASE_SESSION_URL: '' } } });
    await expect(started).rejects.toThrow(
      /cannot start: invalid environment\.\n +DATABASE_URL uses a pooler in transaction mode.* set DATABASE_SESSION_URL/,
    );
  }, 60_000);

  it(`publishes and delivers through a pooler in ${isNew ? 'transaction' : 'session'} mode`, async () => {
    const throughPooler = await start({
      ...DOCUMENTED,
      pool_mode: isNew ? 'transaction' : 'session',
      default_pool_size: '20',
    });
    const receiver = await startReceiver();
    await using stack = await startStack({ throughPooler });
    const project = await createProject(stack.owner, {
      siteUrl: 'https://tea.example',
      receiverUrls: [receiver.url],
    });
    for (const slug of ['first', 'second', 'third']) await publishThroughAll(stack.owner, project.id, slug);
    expect(receiver.requests).toHaveLength(3);
    const answer = await fetch(`${stack.local.origin}/blog/api/v1/public/blogs`, {
      headers: { Authorization: `Bearer ${project.publicKey}` },
    });
    expect(await answer.json()).toMatchObject({ total: 3 });
    await receiver.close();
  }, 120_000);
});
