import { createSessionSigner, generateSessionKeyPair } from '@blog-content/credentials';
import type { EventEnvelope } from '@blog-content/event-log';
import type { BlogServedEvent, LifecycleEvent, ProjectEvent, PublishedRevision } from '@blog-content/payload-schemas';
import { createLogger, loadConfig } from '@blog-content/service-runtime';
import { createTestDatabase, eventually } from '@blog-content/testing';
import got, { type Method, type Response } from 'got';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { environment } from '../src/config.ts';
import { applyLifecycleEvents } from '../src/projection/apply-lifecycle-events.ts';
import { applyProjectEvents } from '../src/projection/apply-project-events.ts';
import { startService, type StartedService } from '../src/start-service.ts';
import { blogDeleted, blogPublished, slugsChanged, blogUnpublished, projectSaved, received } from './events.ts';

type Headers = Record<string, string | string[]>;
export type Answer = Response<string>;

/**
 * The real service on a database of its own, whose event log is away unless one is given: events are applied directly.
 */
export interface TestService extends AsyncDisposable, StartedService {
  readonly origin: string;
  readonly databaseUrl: string;
  /** What was announced as served. */
  readonly announced: EventEnvelope<BlogServedEvent>[];
  /** Sends a request; every status is an answer. `path` starts after the origin. */
  request(method: Method, path: string, headers?: Headers, body?: string): Promise<Answer>;
  apply(...events: LifecycleEvent[]): Promise<void>;
  applyProjects(...events: ProjectEvent[]): Promise<void>;
  /** A project with a key, as the events of content-service make it. */
  createProject(given?: { siteUrl?: string | null; members?: string[] }): Promise<TestProject>;
  /** An owner's Authorization header. */
  ownerHeaders(accountId: string, sessionId?: string, isAdministrator?: boolean): Promise<{ authorization: string }>;
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
  delete(blogId: string): Promise<void>;
  /** The slugs of a blog change without a publish. */
  changeSlugs(blogId: string, slug: string, aliases?: string[]): Promise<void>;
}

interface PublishOptions {
  readonly id?: string;
  /** When the publication began; public `published_at`. */
  readonly began?: string;
  /** When this revision was published; public `updated_at`. */
  readonly at?: string;
  /** Slug that the content names → id of the blog that it is bound to. */
  readonly bound?: Readonly<Record<string, string>>;
  readonly aliases?: string[];
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

const AWAY = 'postgresql://nobody@127.0.0.1:1/away';

export const PUBLIC = '/blog/api/v1/public';

export interface TestServiceOptions {
  /** Another database than a fresh one, or none at all. */
  readonly databaseUrl?: string;
  readonly eventLogUrl?: string;
  /** As deployed unless given; 0 for none. */
  readonly cacheMb?: number;
  readonly requestsPerMinute?: number;
  readonly corsOrigins?: readonly string[];
  readonly now?: () => Date;
  /** Of the secret box; a new one unless given. Replicas share it. */
  readonly encryptionKey?: string;
}

/** Resolves when the service may answer from its cache. */
export async function untilLeased({ cache }: Pick<StartedService, 'cache'>): Promise<void> {
  await eventually(() => {
    if (!cache.isValid()) throw new Error('No lease yet.');
  });
}

/**
 * Starts a service for the tests of a file, and gives each test a project of its own.
 *
 * @param begin gets both before each test.
 * @param given see `createProject`.
 */
export function eachInNewProject(
  begin: (ground: { readonly service: TestService; readonly project: TestProject }) => void,
  given?: Parameters<TestService['createProject']>[0],
): void {
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await startTestService();
  });
  beforeEach(async () => {
    begin({ service: service!, project: await service!.createProject(given) });
  });
  afterAll(() => service?.[Symbol.asyncDispose]());
}

/** Starts it on port 0; with a database it has its lease when this resolves. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  await using started = new AsyncDisposableStack();
  const { cacheMb = 64, requestsPerMinute = 0, corsOrigins = [], now = () => new Date() } = options;
  const { encryptionKey = randomBytes(32).toString('base64'), eventLogUrl = AWAY } = options;
  let { databaseUrl } = options;
  if (databaseUrl === undefined) {
    const testDatabase = await createTestDatabase('public-read-service');
    started.defer(() => testDatabase.drop());
    databaseUrl = testDatabase.url;
  }
  const imageFolder = await mkdtemp(join(tmpdir(), 'blog-content-images-'));
  started.defer(() => rm(imageFolder, { recursive: true, force: true }));
  const sessionKeys = await generateSessionKeyPair();
  const signer = createSessionSigner(sessionKeys.privateJwk);
  const variables = {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '5',
    EVENT_LOG_DATABASE_URL: eventLogUrl,
    OWNER_SESSION_JWKS: sessionKeys.publicJwks,
    ENCRYPTION_KEYS: `test:${encryptionKey}`,
    READ_CACHE_MB: String(cacheMb),
    RATE_LIMIT_PER_MINUTE: String(requestsPerMinute),
    CORS_ORIGINS: corsOrigins.join(','),
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    LAST_REQUEST_MS: '0',
    IMAGE_DISK_PATH: imageFolder,
  };
  const config = loadConfig(environment, variables, 'public-read-service');
  const context = {
    version: 'test',
    resources: started,
    logger,
    isDraining: () => false,
    nowMs: () => now().getTime(),
  };
  const service = await startService(config, context);
  const { projection, keys } = service;
  const origin = `http://127.0.0.1:${service.port}`;
  if (options.databaseUrl === undefined) await untilLeased(service);
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
      waitForReplicas: service.waitForReplicas,
      announce: (served) => Promise.resolve(void announced.push(...served)),
    });
  };
  const applyProjects: TestService['applyProjects'] = async (...events) => {
    await applyProjectEvents(projection, events.map(received), now);
    const { epoch } = await projection.decideLifecycle({ projectIds: [], blogIds: [] }, () => Promise.resolve(null));
    await service.replicas.wait(epoch);
  };

  const resources = started.move();
  return {
    ...service,
    origin,
    databaseUrl,
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
        async publish(revision = {}, { id: blogId = randomUUID(), began, at, bound, aliases } = {}) {
          await apply(
            blogPublished({
              project_id: id,
              blog_id: blogId,
              blog_event_number: nextNumber(blogId),
              site_url: siteUrl,
              ...(began !== undefined && { publication_began_at: began }),
              ...(at !== undefined && { published_at: at }),
              ...(bound && { link_bindings: Object.entries(bound).map(([slug, blog_id]) => ({ slug, blog_id })) }),
              ...(aliases && { aliases }),
              revision: { slug: `blog-${blogId}`, ...revision },
            }),
          );
          return blogId;
        },
        async unpublish(blogId) {
          await apply(blogUnpublished({ project_id: id, blog_id: blogId, blog_event_number: nextNumber(blogId) }));
        },
        async delete(blogId) {
          await apply(blogDeleted({ project_id: id, blog_id: blogId, blog_event_number: nextNumber(blogId) }));
        },
        async changeSlugs(blogId, slug, aliases = []) {
          const about = { project_id: id, blog_id: blogId, blog_event_number: nextNumber(blogId) };
          await apply(slugsChanged({ ...about, slug, aliases }));
        },
      };
    },

    async ownerHeaders(accountId, sessionId = randomUUID(), isAdministrator = false) {
      const claims = { accountId, email: 'owner@example.com', sessionId, isAdministrator };
      const { token } = await signer.issue(claims, 600);
      return { authorization: `Bearer ${token}` };
    },

    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
