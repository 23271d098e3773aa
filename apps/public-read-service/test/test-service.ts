import {
  createSecretBox,
  createSessionSigner,
  createSessionVerifier,
  generateSessionKeyPair,
} from '@blog-content/credentials';
import type { EventEnvelope } from '@blog-content/event-log';
import type { BlogServedEvent, LifecycleEvent, ProjectEvent, PublishedRevision } from '@blog-content/payload-schemas';
import {
  createLogger,
  createMetrics,
  createRequestObserver,
  serveHttp,
  type Metrics,
} from '@blog-content/service-runtime';
import { createTestDatabase, eventually } from '@blog-content/testing';
import got, { type Method, type Response } from 'got';
import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { createApp } from '../src/app.ts';
import { createKeyUsageStore, type KeyUsageStore } from '../src/keys/key-usage-store.ts';
import { startUsageCounter, type UsageCounter } from '../src/keys/usage-counter.ts';
import { openPools } from '../src/open-database.ts';
import { openReadPath, type ReadPath } from '../src/open-read-path.ts';
import { applyLifecycleEvents } from '../src/projection/apply-lifecycle-events.ts';
import { applyProjectEvents } from '../src/projection/apply-project-events.ts';
import { createProjectionStore, type ProjectionStore } from '../src/projection/projection-store.ts';
import { createCors } from '../src/http/cors.ts';
import { createPublicKeyStore } from '../src/keys/public-key-store.ts';
import { createPublicKeys, type PublicKeys } from '../src/keys/public-keys.ts';
import { createRevokedSessionStore, type RevokedSessionStore } from '../src/sessions/revoked-session-store.ts';
import { blogPublished, blogUnpublished, projectSaved, received } from './events.ts';

type Headers = Record<string, string | string[]>;
export type Answer = Response<string>;

/** The real app of this service over HTTP on a database of its own; events are applied directly. */
export interface TestService extends AsyncDisposable {
  readonly origin: string;
  readonly databaseUrl: string;
  readonly projection: ProjectionStore;
  readonly keys: PublicKeys;
  readonly revokedSessions: RevokedSessionStore;
  readonly metrics: Metrics;
  readonly readPath: ReadPath;
  readonly usage: UsageCounter;
  readonly usageStore: KeyUsageStore;
  /** What was announced as served. */
  readonly announced: EventEnvelope<BlogServedEvent>[];
  /** Sends a request; every status is an answer. `path` starts after the origin. */
  request(method: Method, path: string, headers?: Headers, body?: string): Promise<Answer>;
  apply(...events: LifecycleEvent[]): Promise<void>;
  applyProjects(...events: ProjectEvent[]): Promise<void>;
  /** A project with a key, as the events of content-service make it. */
  createProject(given?: { siteUrl?: string | null; members?: string[] }): Promise<TestProject>;
  /** An owner's Authorization header. */
  ownerHeaders(accountId: string, sessionId?: string): Promise<{ authorization: string }>;
}

/** A project and its readers. */
export interface TestProject {
  readonly id: string;
  readonly key: string;
  /** GET with the project's key; `path` starts after `/blog/api/v1/public`. */
  get(path: string, headers?: Headers): Promise<Answer>;
  /** The JSON of a 200. */
  read<Body = Record<string, unknown>>(path: string): Promise<Body>;
  /** Publishes a blog (again, when `id` is one that was published before). */
  publish(revision?: Partial<PublishedRevision>, given?: PublishOptions): Promise<string>;
  unpublish(blogId: string): Promise<void>;
}

interface PublishOptions {
  readonly id?: string;
  /** When the publication began; public `published_at`. */
  readonly began?: string;
  /** When this revision was published; public `updated_at`. */
  readonly at?: string;
}

/** What the service has logged, line by line. */
export const logged: string[] = [];
const keptLog = new Writable({
  write(chunk: Buffer, _encoding, done) {
    logged.push(chunk.toString());
    done();
  },
});
export const logger = createLogger('public-read-service', 'debug', keptLog);

export const PUBLIC = '/blog/api/v1/public';

export interface TestServiceOptions {
  /** Another database than a fresh one, or none at all. */
  readonly databaseUrl?: string;
  /** As deployed unless given; 0 for none. */
  readonly cacheBytes?: number;
  readonly requestsPerMinute?: number;
  readonly corsOrigins?: readonly string[];
  readonly now?: () => Date;
  /** Of the secret box; a new one unless given. Replicas share it. */
  readonly encryptionKey?: string;
}

/** Resolves when the service may answer from its cache. */
export async function untilLeased({ lease }: Pick<ReadPath, 'lease'>): Promise<void> {
  await eventually(() => {
    if (!lease.isValid()) throw new Error('No lease yet.');
  });
}

/** Starts it on port 0; with a database it has its lease when this resolves. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  await using started = new AsyncDisposableStack();
  const { cacheBytes = 64 * 1_048_576, requestsPerMinute = 0, corsOrigins = [] } = options;
  const { encryptionKey = randomBytes(32).toString('base64') } = options;
  let { databaseUrl } = options;
  if (databaseUrl === undefined) {
    const testDatabase = await createTestDatabase('public-read-service');
    started.defer(() => testDatabase.drop());
    databaseUrl = testDatabase.url;
  }
  const onLost = (error: Error) => logger.warn('database.connection_lost', { error });
  const { ownerDatabase: database, readPool: pool, ...otherPools } = openPools(databaseUrl, 5, onLost);
  const { largePages, projectionPool } = otherPools;
  started.defer(() => database.$disconnect());
  const sessionKeys = await generateSessionKeyPair();
  const signer = createSessionSigner(sessionKeys.privateJwk);
  const secretBox = createSecretBox(`test:${encryptionKey}`);
  const metrics = createMetrics('public-read-service');
  const { now = () => new Date() } = options;
  const keyStore = createPublicKeyStore(database);
  const revokedSessions = createRevokedSessionStore(database);
  for (const each of [pool, largePages, projectionPool]) started.defer(() => each.end());
  const readPath = openReadPath({
    databaseUrl,
    pool,
    projectionPool,
    largePages,
    cacheBytes,
    requestsPerMinute,
    logger,
  });
  started.defer(() => readPath.close());
  const { replicas } = readPath;
  const usageStore = createKeyUsageStore(pool);
  const usage = startUsageCounter({ store: usageStore, logger, now });
  started.defer(() => usage.stop());
  const keys = createPublicKeys({ store: keyStore, replicas, secretBox, now });
  const projection = createProjectionStore(projectionPool);
  const app = createApp({
    publicApi: {
      ...readPath,
      cors: createCors(corsOrigins),
      countUse: usage.count,
      observe: createRequestObserver({ logger, metrics }),
    },
    keyStore,
    keys,
    usageStore,
    verifySession: createSessionVerifier(sessionKeys.publicJwks),
    revokedSessions,
    now,
    logger,
    metrics,
  });
  const server = await serveHttp(app, { host: '127.0.0.1', port: 0, refusalForm: 'detail' });
  started.defer(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  if (options.databaseUrl === undefined) await untilLeased(readPath);
  const eventNumbers = new Map<string, number>();

  const nextNumber = (blogId: string): number => {
    const number = (eventNumbers.get(blogId) ?? 0) + 1;
    eventNumbers.set(blogId, number);
    return number;
  };
  const request: TestService['request'] = (method, path, headers = {}, body) =>
    got(origin + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      allowGetBody: true,
      decompress: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
      followRedirect: false,
      timeout: { request: 20_000 },
    });
  const announced: EventEnvelope<BlogServedEvent>[] = [];
  const apply: TestService['apply'] = async (...events) => {
    await applyLifecycleEvents(projection, events.map(received), {
      now,
      waitForReplicas: (visible) => readPath.waitForReplicas(visible),
      announce: (served) => Promise.resolve(void announced.push(...served)),
    });
  };
  const applyProjects: TestService['applyProjects'] = async (...events) => {
    await applyProjectEvents(projection, events.map(received), now);
    const { epoch } = await projection.decideLifecycle({ projectIds: [], blogIds: [] }, () => null);
    await replicas.wait(epoch);
  };

  const resources = started.move();
  return {
    origin,
    databaseUrl,
    projection,
    keys,
    revokedSessions,
    metrics,
    readPath,
    usage,
    usageStore,
    announced,
    request,
    apply,
    applyProjects,

    async createProject({ siteUrl = 'https://tea.example', members = [] } = {}) {
      const id = randomUUID();
      await applyProjects(
        projectSaved({
          project_id: id,
          site_url: siteUrl,
          members: members.map((account_id) => ({ account_id, role: 'owner' })),
        }),
      );
      const key = (await keys.generate(id))!.key;
      const get: TestProject['get'] = (path, headers = {}) =>
        request('GET', PUBLIC + path, { authorization: `Bearer ${key}`, ...headers });
      return {
        id,
        key,
        get,
        async read<Body>(path: string) {
          const { statusCode, body } = await get(path);
          if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${body}`);
          return JSON.parse(body) as Body;
        },
        async publish(revision = {}, { id: blogId = randomUUID(), began, at } = {}) {
          await apply(
            blogPublished({
              project_id: id,
              blog_id: blogId,
              blog_event_number: nextNumber(blogId),
              site_url: siteUrl,
              ...(began !== undefined && { publication_began_at: began }),
              ...(at !== undefined && { published_at: at }),
              revision: { slug: `blog-${blogId}`, ...revision },
            }),
          );
          return blogId;
        },
        async unpublish(blogId) {
          await apply(blogUnpublished({ project_id: id, blog_id: blogId, blog_event_number: nextNumber(blogId) }));
        },
      };
    },

    async ownerHeaders(accountId, sessionId = randomUUID()) {
      const { token } = await signer.issue({ accountId, email: 'owner@example.com', sessionId }, 600);
      return { authorization: `Bearer ${token}` };
    },

    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
