import { randomBytes } from 'node:crypto';
import { generateSessionKeyPair } from '@blog-content/credentials';
import { openEventLog, type EventLog } from '@blog-content/event-log';
import { createLogger, type Logger } from '@blog-content/service-runtime';
import { createEmptyDatabase, createTestDatabase } from '@blog-content/testing';
import got, { type Method } from 'got';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { environment } from '../src/config.ts';
import { type RunningService as StartedService, startService } from '../src/start-service.ts';

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

/** What the URLs of images begin with. */
export const IMAGE_BASE_URL = 'https://images.example/images';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  // The tests read many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  /** A session's token or an agent's key. */
  readonly token?: string;
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Call = (method: Method, path: string, options?: CallOptions) => Promise<Answer>;

/** The service on a database and a PostgreSQL event log of its own. */
export interface RunningService extends AsyncDisposable {
  readonly origin: string;
  readonly databaseUrl: string;
  /** The variables that replicas start with, for processes of their own. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where images are kept, on the disk. */
  readonly imageFolder: string;
  readonly eventLog: EventLog;
  /** Calls the owner API below `/blog/api/v1/owner/`, with the given session token. */
  readonly call: Call;
  /** Calls the agent API below `/blog/api/v1/agent/`, with the given key. */
  readonly callAgent: Call;
  signIn(): Promise<string>;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Starts another replica on the same database. It ends with the service, unless it was stopped before.
   * @param settings environment variables on top.
   */
  readonly startReplica: (settings?: Readonly<Record<string, string>>) => Promise<Replica>;
}

export interface Replica extends Pick<StartedService, 'adminPort' | 'bootstrapped'> {
  readonly origin: string;
  readonly call: Call;
  readonly stop: () => Promise<void>;
}

/** @param settings environment variables on top. */
export async function startRunningService(
  settings: Readonly<Record<string, string>> = {},
  logger: Logger = createLogger('content-service', 'error'),
): Promise<RunningService> {
  await using resources = new AsyncDisposableStack();
  const database = await createTestDatabase('content-service');
  resources.defer(() => database.drop());
  const logDatabase = await createEmptyDatabase();
  resources.defer(() => logDatabase.drop());
  const imageFolder = await mkdtemp(join(tmpdir(), 'blog-content-images-'));
  resources.defer(() => rm(imageFolder, { recursive: true, force: true }));
  const variables = {
    DATABASE_URL: database.url,
    EVENT_LOG_DATABASE_URL: logDatabase.url,
    OWNER_SESSION_PRIVATE_JWK: (await generateSessionKeyPair()).privateJwk,
    BOOTSTRAP_OWNER_EMAIL: OWNER.email,
    BOOTSTRAP_OWNER_PASSWORD: OWNER.password,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    SHUTDOWN_TIMEOUT_MS: '2000',
    LAST_REQUEST_MS: '0',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    FETCH_ALLOWED_RANGES: '127.0.0.0/8',
    FETCH_ALLOW_HTTP: 'true',
    IMAGE_DISK_PATH: imageFolder,
    IMAGE_BASE_URL,
    ...settings,
  };

  const startReplica: RunningService['startReplica'] = async (more) => {
    const config = environment.parse({ ...variables, ...more });
    await using replica = new AsyncDisposableStack();
    const context = { version: 'test', resources: replica, logger, isDraining: () => false };
    const { port, adminPort, bootstrapped } = await startService(config, context);
    const started = replica.move();
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= started.disposeAsync());
    const origin = `http://127.0.0.1:${port}`;
    return { origin, call: callBelow(`${origin}/blog/api/v1/owner/`), stop, adminPort, bootstrapped };
  };
  const first = await startReplica();
  resources.defer(first.stop);
  await first.bootstrapped;
  const eventLog = await openEventLog({ kind: 'postgres', databaseUrl: logDatabase.url }, logger);
  resources.defer(() => eventLog.close());
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  resources.defer(() => pool.end());

  const { origin, call } = first;
  const kept = resources.move();
  return {
    origin,
    databaseUrl: database.url,
    variables,
    imageFolder,
    eventLog,
    call,
    callAgent: callBelow(`${origin}/blog/api/v1/agent/`),
    signIn: async () => ((await call('POST', 'session', { json: OWNER })).body as { token: string }).token,
    query: async (sql, values) => (await pool.query(sql, values)).rows as never,
    startReplica: async (more) => {
      const replica = await startReplica(more);
      kept.defer(replica.stop);
      return replica;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function callBelow(base: string): Call {
  return async (method, path, { token, json, body, headers } = {}) => {
    const answer = await got(`${base}${path}`, {
      method,
      throwHttpErrors: false,
      retry: { limit: 0 },
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { json }),
      ...(body !== undefined && { body }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown),
    };
  };
}
