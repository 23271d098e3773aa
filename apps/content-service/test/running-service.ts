import { generateSessionKeyPair } from '@blog-content/credentials';
import { openEventLog, type EventLog } from '@blog-content/event-log';
import { createLogger, createMetrics, serveHttp } from '@blog-content/service-runtime';
import { createEmptyDatabase, createTestDatabase } from '@blog-content/testing';
import got, { type Method } from 'got';
import pg from 'pg';
import { environment } from '../src/config.ts';
import { startContentService } from '../src/content-service.ts';

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  // The tests read many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** The service on a database and a PostgreSQL event log of its own. */
export interface RunningService extends AsyncDisposable {
  readonly eventLog: EventLog;
  /** Calls the owner API below `/blog/api/v1/owner/`, with the given session token. */
  call(method: Method, path: string, options?: { token?: string; json?: unknown; body?: string }): Promise<Answer>;
  signIn(): Promise<string>;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
}

export async function startRunningService(): Promise<RunningService> {
  await using resources = new AsyncDisposableStack();
  const database = await createTestDatabase('content-service');
  resources.defer(() => database.drop());
  const logDatabase = await createEmptyDatabase();
  resources.defer(() => logDatabase.drop());
  const logger = createLogger('content-service', 'error');
  const config = environment.parse({
    DATABASE_URL: database.url,
    EVENT_LOG_DATABASE_URL: logDatabase.url,
    OWNER_SESSION_PRIVATE_JWK: (await generateSessionKeyPair()).privateJwk,
    BOOTSTRAP_OWNER_EMAIL: OWNER.email,
    BOOTSTRAP_OWNER_PASSWORD: OWNER.password,
    PORT: '0',
    ADMIN_PORT: '0',
  });
  const service = await startContentService(config, { logger, metrics: createMetrics('content-service') });
  resources.defer(() => service.stop());
  const eventLog = await openEventLog({ kind: 'postgres', databaseUrl: logDatabase.url }, logger);
  resources.defer(() => eventLog.close());
  const http = await serveHttp(service.app, { host: '127.0.0.1', port: 0, drainTimeoutMs: 1_000, logger });
  resources.defer(() => http.close());
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  resources.defer(() => pool.end());

  const call: RunningService['call'] = async (method, path, { token, json, body } = {}) => {
    const answer = await got(`http://127.0.0.1:${http.port}/blog/api/v1/owner/${path}`, {
      method,
      throwHttpErrors: false,
      retry: { limit: 0 },
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
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
  const kept = resources.move();
  return {
    eventLog,
    call,
    signIn: async () => ((await call('POST', 'session', { json: OWNER })).body as { token: string }).token,
    query: async (sql, values) => (await pool.query(sql, values)).rows as never,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
