import { randomUUID } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { createSessionSigner, generateSessionKeyPair } from '@blog-content/credentials';
import { type EventEnvelope, onTopic, openEventLog } from '@blog-content/event-log';
import {
  deliveriesTopic,
  type DeliveryEvent,
  type DeliveryFinishedEvent,
  lifecycleTopic,
  projectsTopic,
  servedTopic,
} from '@blog-content/payload-schemas';
import { loadConfig } from '@blog-content/service-runtime';
import { createEmptyDatabase, createTestDatabase, eventually } from '@blog-content/testing';
import type { UrlGuard } from '@blog-content/url-guard';
import { Client } from 'pg';
import { environment } from '../src/config.ts';
import type { ProviderApis } from '../src/destinations/open-destination.ts';
import { startService } from '../src/start-service.ts';
import { projectSaved } from './events.ts';
import { type LogLine, recordingLogger } from './recording-logger.ts';

type DeliveryRetryPlannedEvent = Extract<DeliveryEvent, { event: 'delivery.retry_planned' }>;

/** The account whose sessions say that it is the administrator. */
export const ADMINISTRATOR = '0a0b0c0d-0000-4000-8000-000000000001';

/** An answer of the owner's HTTP surface. */
export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The databases, keys and event log that dispatchers run on; they outlive any one of them. */
export interface TestGround extends AsyncDisposable {
  /** Environment of a dispatcher: receivers on this machine are allowed. */
  readonly env: Readonly<Record<string, string>>;
  append(...events: readonly EventEnvelope[]): Promise<void>;
  /** Every event of `blog.deliveries` so far. */
  readonly outcomes: readonly DeliveryEvent[];
  /** Those that are of one lifecycle event. */
  outcomesOf(lifecycleEventId: string): DeliveryEvent[];
  /** The outcomes of one lifecycle event, once there are `count`. */
  finished(lifecycleEventId: string, count?: number): Promise<DeliveryFinishedEvent[]>;
  /** The `delivery.retry_planned` of one lifecycle event so far: before {@link finished} has resolved maybe not all. */
  retriesPlanned(lifecycleEventId: string): DeliveryRetryPlannedEvent[];
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  token(accountId: string, sessionId?: string): Promise<string>;
}

export async function prepareTestGround(): Promise<TestGround> {
  await using resources = new AsyncDisposableStack();
  const own = resources.adopt(await createTestDatabase('webhook-dispatcher'), (database) => database.drop());
  const log = resources.adopt(await createEmptyDatabase(), (database) => database.drop());
  const client = resources.adopt(new Client({ connectionString: own.url }), (opened) => opened.end());
  await client.connect();
  const keys = await generateSessionKeyPair();
  const signer = createSessionSigner(keys.privateJwk);
  const { logger } = recordingLogger();
  const eventLog = resources.adopt(await openEventLog({ kind: 'postgres', databaseUrl: log.url }, logger), (opened) =>
    opened.close(),
  );
  await eventLog.ensureTopics([projectsTopic, lifecycleTopic, servedTopic, deliveriesTopic]);
  const outcomes: DeliveryEvent[] = [];
  const collect = onTopic(deliveriesTopic, (events) => {
    outcomes.push(...events.map(({ data }) => data));
    return Promise.resolve();
  });
  await eventLog.subscribe({ group: 'test', handlers: [collect], logger });

  const kept = resources.move();
  return {
    env: {
      PORT: '0',
      ADMIN_PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: own.url,
      EVENT_LOG_DATABASE_URL: log.url,
      OWNER_SESSION_JWKS: keys.publicJwks,
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      RECEIVER_ALLOWED_RANGES: '127.0.0.0/8',
      RECEIVER_ALLOW_HTTP: 'true',
      SERVED_WAIT_MS: '50',
      SHUTDOWN_TIMEOUT_MS: '4000',
    },
    append: (...events) => eventLog.append(events),
    outcomes,
    outcomesOf: (lifecycleEventId) =>
      outcomes.filter((event) => 'lifecycle_event_id' in event && event.lifecycle_event_id === lifecycleEventId),
    finished: (lifecycleEventId, count = 1) =>
      eventually(() => {
        const found = outcomes.filter(
          (event): event is DeliveryFinishedEvent =>
            event.event === 'delivery.finished' && event.lifecycle_event_id === lifecycleEventId,
        );
        if (found.length < count) throw new Error(`${found.length} of ${count} deliveries have ended`);
        return found;
      }),
    retriesPlanned: (lifecycleEventId) =>
      outcomes.filter(
        (event): event is DeliveryRetryPlannedEvent =>
          event.event === 'delivery.retry_planned' && event.lifecycle_event_id === lifecycleEventId,
      ),
    query: async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, [...values])).rows as Row[],
    token: async (accountId, sessionId = randomUUID()) => {
      const isAdministrator = accountId === ADMINISTRATOR;
      return (await signer.issue({ accountId, email: 'ada@site.example', sessionId, isAdministrator }, 600)).token;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A dispatcher in this process, listening. */
export interface RunningDispatcher extends AsyncDisposable {
  readonly origin: string;
  readonly lines: readonly LogLine[];
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  readonly metrics: () => Promise<string>;
  /** One request to the owner's surface, below `/blog/api/v1/owner`, as `accountId`. */
  call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    accountId: string | null,
    body?: unknown,
  ): Promise<Answer<Body>>;
}

export interface DispatcherOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly urlGuard?: UrlGuard;
  readonly random?: () => number;
  readonly providerApis?: ProviderApis;
}

export async function runDispatcher(ground: TestGround, options: DispatcherOptions = {}): Promise<RunningDispatcher> {
  const { env = {}, urlGuard, random = () => 0.5, providerApis } = options;
  const config = loadConfig(environment, { ...ground.env, ...env }, 'webhook-dispatcher');
  const { logger, lines } = recordingLogger();
  const resources = new AsyncDisposableStack();
  const { port, adminPort, checks } = await startService(config, {
    version: '9.9.9',
    logger,
    resources,
    draining: new AbortController().signal,
    isDraining: () => false,
    random,
    now: () => new Date(),
    ...(urlGuard && { urlGuard }),
    ...(providerApis && { providerApis }),
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    lines,
    checks,
    metrics: async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text(),
    async call<Body>(method: string, path: string, accountId: string | null, body?: unknown) {
      const response = await fetch(`${origin}/blog/api/v1/owner${path}`, {
        method,
        headers: {
          ...(accountId !== null && { authorization: `Bearer ${await ground.token(accountId)}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: (text === '' ? null : JSON.parse(text)) as Body,
      };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Makes a project known to the dispatcher, with one owner and any editors. */
export async function addProject(
  ground: TestGround,
  dispatcher: RunningDispatcher,
  projectId: string,
  ownerId: string,
  editorIds: readonly string[] = [],
): Promise<void> {
  await ground.append(projectSaved(projectId, [ownerId], 1, editorIds));
  await eventually(async () => {
    const { status } = await dispatcher.call('GET', `/projects/${projectId}/webhooks`, ownerId);
    if (status !== 200) throw new Error(`the project is not known yet: ${status}`);
  });
}
