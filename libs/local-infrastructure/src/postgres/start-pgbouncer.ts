import { spawnSync } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { startServerProcess, untilReady } from '../server-process.ts';
import { systemUser } from './system-user.ts';

/** Where PgBouncer is: `PGBOUNCER` names another one than the system's. */
export const PGBOUNCER = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';

export interface StartPgbouncerOptions {
  /** Any database of the server behind it, with the credentials of all connections to that. */
  readonly databaseUrl: string;
  /** Created when missing; holds the configuration and the log. */
  readonly dataDir: string;
  /** Lines of the section `[pgbouncer]`, e.g. `{ pool_mode: 'transaction' }`. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A connection pooler in front of a PostgreSQL server. */
export type RunningPgbouncer = Awaited<ReturnType<typeof startPgbouncer>>;

/** Starts PgBouncer on a free loopback port, which lets in everyone on this machine. */
export async function startPgbouncer({ databaseUrl, dataDir, settings }: StartPgbouncerOptions) {
  const server = new URL(databaseUrl);
  const port = await freePort();
  await mkdir(dataDir, { recursive: true });
  const configuration = join(dataDir, 'pgbouncer.ini');
  const lines = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings };
  const target = { host: server.hostname, port: server.port, user: server.username, password: server.password };
  await writeFile(
    configuration,
    [
      '[databases]',
      `* = ${Object.entries(target)
        .map(([name, value]) => `${name}=${decodeURIComponent(value)}`)
        .join(' ')}`,
      '[pgbouncer]',
      ...Object.entries(lines).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  // It refuses to run as root.
  const user = systemUser();
  if (user !== undefined) for (const path of [dataDir, configuration]) await chown(path, user.uid, user.gid);
  const pooler = await startServerProcess({
    command: PGBOUNCER,
    args: [configuration],
    cwd: dataDir,
    ...(user && { user }),
    logFile: join(dataDir, 'pgbouncer.log'),
    stopSignal: 'SIGINT',
  });
  /** The same database as at `databaseUrl`, through the pooler. */
  const through = (url: string): string => {
    const pooled = new URL(url);
    pooled.hostname = '127.0.0.1';
    pooled.port = String(port);
    return pooled.href;
  };
  await untilReady('PgBouncer', pooler, () => connectTo(through(databaseUrl)));
  // What its signals mean depends on its version; a pooler keeps nothing.
  return { through, stop: () => pooler.kill() };
}

/** Any answer, also one that refuses. */
async function connectTo(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The version as `[major, minor]`: prepared statements are tracked in transaction mode from 1.21 on. */
export function pgbouncerVersion(): readonly [number, number] {
  const { stdout } = spawnSync(PGBOUNCER, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  if (major === undefined) throw new Error(`${PGBOUNCER} is not PgBouncer. PGBOUNCER is the path of its program.`);
  return [Number(major), Number(minor)];
}
