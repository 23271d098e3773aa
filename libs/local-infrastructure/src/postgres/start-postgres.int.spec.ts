import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort, PortInUseError, startPostgres, type RunningPostgres, type StartPostgresOptions } from '../index.ts';

const packageRoot = join(import.meta.dirname, '../..');
const folders: string[] = [];
const running: RunningPostgres[] = [];
const owners: ChildProcess[] = [];

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL');
  for (const server of running.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-postgres-'));
  folders.push(folder);
  return folder;
}

async function start(options: StartPostgresOptions): Promise<RunningPostgres> {
  const server = await startPostgres({ databaseUrl: '', ...options });
  running.push(server);
  return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that starts PostgreSQL on `dataDir`, prints its URL, and on SIGINT runs `onInterrupt`. */
async function startOwner(
  dataDir: string,
  onInterrupt: string,
  more = '',
): Promise<{ owner: ChildProcess; url: string }> {
  const script = `
    import { startPostgres } from './src/index.ts';
    const server = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, databaseUrl: '' ${more} });
    process.on('SIGINT', async () => { ${onInterrupt} });
    setInterval(() => undefined, 1000);
    console.log(server.url('postgres'));
  `;
  const owner = spawn(
    process.execPath,
    ['--conditions=@blog-content/source', '--input-type=module-typescript', '--eval', script],
    {
      cwd: packageRoot,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  owners.push(owner);
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  return { owner, url: line.toString().trim() };
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await condition()); await sleep(50)) {
    if (Date.now() > deadline) throw new Error('the condition did not become true');
  }
}

const answers = (url: string) =>
  query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );

describe('startPostgres', () => {
  it('keeps its data and password over a restart', async () => {
    const dataDir = await newFolder();
    const first = await start({ dataDir });
    await query(first.url('postgres'), `CREATE TABLE kept AS SELECT 'kept' AS word`);
    await first.stop();

    const second = await start({ dataDir, settings: { work_mem: '7MB' } });

    expect(await query(second.url('postgres'), 'SELECT word FROM kept')).toEqual([{ word: 'kept' }]);
    expect(await query(second.url('postgres'), 'SHOW work_mem')).toEqual([{ work_mem: '7MB' }]);
    expect(new URL(second.url('x')).password).toBe(new URL(first.url('x')).password);
  });

  it('takes the server that the machine’s packages have installed when asked to, and the embedded one where there is none', async () => {
    const majors = existsSync('/usr/lib/postgresql') ? (await readdir('/usr/lib/postgresql')).map(Number) : [];
    const server = await start({ dataDir: await newFolder(), installed: true });

    expect(await query(server.url('postgres'), `SELECT split_part(version(), '.', 1) AS version, lower('É')`)).toEqual([
      { version: `PostgreSQL ${Math.max(...majors.filter((major) => major >= 15), 0) || 18}`, lower: 'é' },
    ]);
  });

  it('requires the password, which only its owner can read', async () => {
    const dataDir = await newFolder();
    const { url } = await start({ dataDir });
    const guess = new URL(url('postgres'));
    guess.password = 'password';

    await expect(query(guess.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('runs on a folder that only its owner may enter, also for root', async () => {
    const dataDir = join(await newFolder(), 'inside');
    const { url } = await start({ dataDir, disposable: true });

    expect(await answers(url('postgres'))).toBe(true);
  });

  it('says which port is in use', async () => {
    const { url } = await start({ dataDir: await newFolder() });
    const port = Number(new URL(url('postgres')).port);

    await expect(start({ dataDir: await newFolder(), port })).rejects.toThrow(PortInUseError);
  });

  it('listens on the port it was given', async () => {
    const port = await freePort();
    const { url } = await start({ dataDir: await newFolder(), port });

    expect(new URL(url('a')).host).toBe(`127.0.0.1:${port}`);
  });

  it('refuses a folder another run is using', async () => {
    const dataDir = await newFolder();
    const { url } = await start({ dataDir });

    await expect(start({ dataDir })).rejects.toThrow(/is already running on .*, process \d+/);
    expect(await answers(url('postgres'))).toBe(true);
  });

  it('recovers after a crash of the server that left its pid file', async () => {
    const dataDir = await newFolder();
    const first = await start({ dataDir });
    await query(first.url('postgres'), `CREATE TABLE kept AS SELECT 'kept' AS word`);
    const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
    process.kill(Number.parseInt(await readFile(pidFile, 'utf8'), 10), 'SIGKILL');
    expect((await first.exited).signal).toBe('SIGKILL');
    expect(existsSync(pidFile)).toBe(true);

    const second = await start({ dataDir });

    expect(await query(second.url('postgres'), 'SELECT word FROM kept')).toEqual([{ word: 'kept' }]);
  });

  it("survives the terminal's Ctrl-C until its owner has drained", async () => {
    const dataDir = await newFolder();
    const { owner, url } = await startOwner(
      dataDir,
      `await new Promise((resolve) => setTimeout(resolve, 300));
       const { default: pg } = await import('pg');
       const client = new pg.Client({ connectionString: server.url('postgres') });
       await client.connect();
       await client.query("CREATE TABLE drained AS SELECT 'yes' AS word");
       await client.end();
       await server.stop();
       process.exit(0);`,
    );
    process.kill(-owner.pid!, 'SIGINT');
    const [code] = (await once(owner, 'exit')) as [number | null];

    expect(code).toBe(0);
    expect(await answers(url)).toBe(false);
    const { url: again } = await start({ dataDir });
    expect(await query(again('postgres'), 'SELECT word FROM drained')).toEqual([{ word: 'yes' }]);
  });

  it('stops in order when its owner was killed', async () => {
    const dataDir = await newFolder();
    const { owner, url } = await startOwner(dataDir, '');
    owner.kill('SIGKILL');

    await until(async () => !(await answers(url)));
    const next = await start({ dataDir });

    expect(await answers(next.url('postgres'))).toBe(true);
  });

  it('deletes a disposable folder, also when its owner was killed', async () => {
    const orphaned = await newFolder();
    const { owner } = await startOwner(orphaned, '', ', disposable: true');
    owner.kill('SIGKILL');
    const stopped = await newFolder();
    await (await start({ dataDir: stopped, disposable: true })).stop();

    expect(existsSync(stopped)).toBe(false);
    await until(() => !existsSync(orphaned));
  });

  it('uses a given server and leaves it running', async () => {
    const { url } = await start({ dataDir: await newFolder() });
    const given = await startPostgres({ dataDir: 'unused', databaseUrl: `${url('postgres')}?application_name=given` });

    await given.stop();

    expect(given.how).toBe('given');
    expect(given.url('other')).toBe(`${url('other')}?application_name=given`);
    expect(await answers(url('postgres'))).toBe(true);
  });

  it('says so when the given server does not answer', async () => {
    const databaseUrl = `postgresql://nobody@127.0.0.1:${await freePort()}/postgres`;

    await expect(startPostgres({ dataDir: 'unused', databaseUrl })).rejects.toThrow(/in DATABASE_URL does not respond/);
  });
});
