import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, PG_BASEBACKUP } from '@blog-content/local-infrastructure';

const execute = promisify(execFile);
const READY_WITHIN_MS = 60_000;

/** PostgreSQL doesn't run as root. */
const user =
  process.getuid?.() === 0
    ? {
        uid: Number((await execute('id', ['-u', 'postgres'])).stdout),
        gid: Number((await execute('id', ['-g', 'postgres'])).stdout),
      }
    : undefined;

/** The newest server with its tools that packages have installed. */
const bin = globSync(PG_BASEBACKUP)
  .map((file) => dirname(file))
  .toSorted((a, b) => Number(/\d+/.exec(a)?.[0]) - Number(/\d+/.exec(b)?.[0]))
  .at(-1);

/** A folder that the server may write. */
export async function serverFolder(...path: string[]): Promise<string> {
  const folder = join(...path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

/** Runs a program of PostgreSQL to its end. @returns what it prints */
export async function runTool(program: string, ...args: string[]): Promise<string> {
  if (bin === undefined) throw new Error('pg_basebackup is missing. On Debian and Ubuntu: apt-get install postgresql');
  return (await execute(join(bin, program), args, { cwd: '/', ...user })).stdout.trim();
}

/** Makes an empty cluster whose superuser needs no password, for connections of this machine only. */
export async function initCluster(folder: string): Promise<void> {
  await runTool('initdb', '-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--lc-ctype=C.UTF-8', '-N');
}

export interface PostgresServer {
  readonly port: number;
  url: (database: string) => string;
  /** Runs a statement. @returns what psql prints of its rows */
  query: (database: string, sql: string) => Promise<string>;
  /** As a crash of the machine: no process of it remains. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the server of a cluster. Resolves when it accepts writes, or with `standby`, reads. */
export async function startServer(
  folder: string,
  options: {
    readonly resources: AsyncDisposableStack;
    readonly port?: number;
    readonly settings?: Readonly<Record<string, string>>;
    readonly standby?: true;
  },
): Promise<PostgresServer> {
  if (bin === undefined) throw new Error('PostgreSQL is missing. On Debian and Ubuntu: apt-get install postgresql');
  const port = options.port ?? (await freePort());
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    ...options.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child: ChildProcess = spawn(join(bin, 'postgres'), ['-D', folder, '-p', String(port), ...args], {
    cwd: '/',
    // A group of its own: Ctrl-C ends it in order, after the services.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGKILL' | 'SIGINT') => {
    if (!hasExited()) child.kill(signal);
    await exited;
  };
  options.resources.defer(() => end('SIGINT'));

  const url = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`;
  const query = (database: string, sql: string) => runTool('psql', '-d', url(database), '-Atc', sql);
  const isReady = () =>
    query('postgres', 'SELECT pg_is_in_recovery()').then(
      (answer) => options.standby === true || answer === 'f',
      () => false,
    );
  for (const untilMs = Date.now() + READY_WITHIN_MS; !(await isReady()); await sleep(50)) {
    if (hasExited() || Date.now() > untilMs) throw new Error(`PostgreSQL did not start:\n${said}`);
  }
  return {
    port,
    url,
    query,
    stop: () => end('SIGINT'),
    async kill() {
      // Its other processes end once the first one is gone, and a new server waits for that.
      const pids = await childrenOf(child.pid ?? 0);
      for (const pid of [child.pid ?? 0, ...pids]) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
      await exited;
    },
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').flatMap((word) => (word.trim() === '' ? [] : [Number(word)]));
}
