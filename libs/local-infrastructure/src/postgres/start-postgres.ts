import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { clusterRole, openCluster } from './postgres-cluster.ts';
import { handBack, takeOver } from './take-over.ts';
import { messageOf, startServerProcess, untilReady, type ProcessExit } from '../server-process.ts';

/** What `startPostgres` is given. */
export interface StartPostgresOptions {
  /** Created when missing; holds the cluster, its password and its log. One server at a time. */
  readonly dataDir: string;
  /** Loopback port; a free one when not given. */
  readonly port?: number;
  /**
   * A server to use instead of starting one, with the right to create databases. Default: the variable `DATABASE_URL`;
   * an empty string starts one all the same.
   */
  readonly databaseUrl?: string | undefined;
  /**
   * Takes the newest server (15 or later) that the machine's packages have installed, and the embedded one only when
   * there is none: packages are compiled for speed, the embedded one for size.
   */
  readonly installed?: boolean;
  /** Server parameters by name, e.g. `{ fsync: 'off' }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Deletes `dataDir` on `stop`, and when this process disappears without it. */
  readonly disposable?: boolean;
  /** Told in one sentence what takes time. */
  readonly onProgress?: (message: string) => void;
}

/** A PostgreSQL server that accepts connections. */
export interface RunningPostgres {
  readonly how: 'given' | 'embedded';
  /** The connection string of one of the server's databases, which need not exist yet. */
  readonly url: (database: string) => string;
  /** Resolves when the server ends, asked to or not; never for a given server. */
  readonly exited: Promise<ProcessExit>;
  /** Disconnects clients and shuts the server down in order. A given server is left alone. */
  readonly stop: () => Promise<void>;
}

/**
 * For glibc: a session keeps up to 4 MB that it no longer needs for its next statement. By default it gives back what
 * a statement with many rows has taken, and has the kernel clear it again for the next one.
 */
const KEPT_MEMORY = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_MMAP_THRESHOLD_: '4194304' } as const;

/** Starts (or joins, see `databaseUrl`) PostgreSQL and returns once it accepts connections. */
export async function startPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  const given = options.databaseUrl ?? process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') return joinServer(given);

  const isNew = !existsSync(join(options.dataDir, 'cluster', 'PG_VERSION'));
  options.onProgress?.(isNew ? 'Creating the PostgreSQL data directory' : 'Starting PostgreSQL');
  const cluster = await openCluster(options.dataDir, options.installed ?? false);
  await takeOver({
    server: 'PostgreSQL',
    dataDir: options.dataDir,
    pidFile: join(cluster.folder, 'postmaster.pid'),
    commandLine: cluster.folder,
    stopSignal: 'SIGINT',
  });
  const port = await freePort(options.port);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...options.settings,
  };
  const server = await startServerProcess({
    command: cluster.postgres,
    args: [
      '-D',
      cluster.folder,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    cwd: cluster.folder,
    env: { LC_ALL: 'C', ...KEPT_MEMORY },
    ...(cluster.user && { user: cluster.user }),
    logFile: join(options.dataDir, 'server.log'),
    stopSignal: 'SIGINT',
    ...(options.disposable && { deleteWhenOrphaned: cluster.folders }),
  });
  const url = (database: string) => `postgresql://${clusterRole}:${cluster.password}@127.0.0.1:${port}/${database}`;
  await untilReady('PostgreSQL', server, () => answer(url('postgres')));
  return {
    how: 'embedded',
    url,
    exited: server.exited,
    async stop() {
      await server.stop();
      await handBack(options.dataDir);
      if (!options.disposable) return;
      for (const folder of cluster.folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function joinServer(databaseUrl: string): Promise<RunningPostgres> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    throw new Error(`The PostgreSQL server in DATABASE_URL does not respond: ${messageOf(cause)}`, { cause });
  }
  await client.end();
  return {
    how: 'given',
    url(database) {
      const url = new URL(databaseUrl);
      url.pathname = `/${encodeURIComponent(database)}`;
      return url.href;
    },
    exited: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

async function answer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}
