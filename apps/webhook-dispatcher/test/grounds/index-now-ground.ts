import { randomUUID } from 'node:crypto';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import { createMetrics } from '@blog-content/service-runtime';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { RETRY_POLICY, type RetryPolicy } from '../../src/http/judge.ts';
import { sendUnleased } from '../../src/http/send-webhook.ts';
import { createChangeStore } from '../../src/deploy-hooks/changes/change-store.ts';
import { createRequestStore } from '../../src/deploy-hooks/request-store.ts';
import { createIndexNowStore, type IndexNowStore, type StoredIndexNow } from '../../src/index-now/index-now-store.ts';
import { createPingStore, type PingStore } from '../../src/index-now/ping-store.ts';
import { type IndexNow, type IndexNowParts, startIndexNow } from '../../src/index-now/start-index-now.ts';
import { createPlanStore } from '../../src/planning/plan-store.ts';
import { createEventCache } from '../../src/payload/event-cache.ts';
import { servedEvent, type TestEvent } from '../events.ts';
import { type LogLine, recordingLogger } from '../recording-logger.ts';
import { openGround } from './open-ground.ts';

/** The stores of IndexNow on one database, and a look behind them. */
export interface IndexNowGround extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly settings: IndexNowStore;
  readonly pings: PingStore;
  /** A new project that is known, whose site serves the key file; its id. */
  addProject(
    siteUrl: string | null,
    options?: { readonly isOn?: boolean; readonly hasKey?: boolean; readonly hasHook?: boolean },
  ): Promise<string>;
  /** Has an owner's check find the key file there. */
  findKey(projectId: string, siteUrl: string): Promise<void>;
  /** Takes an event in as the consumer does: the deploy hooks and IndexNow first. */
  take(...events: readonly TestEvent<VisibilityEvent>[]): Promise<void>;
  /** Begins the deploy hook's request for what the public API serves; gives what ends it as a success. */
  requestHook(...events: readonly TestEvent<VisibilityEvent>[]): Promise<() => Promise<void>>;
  /** Has a receiver of the project say where a post lives. */
  addLiveUrl(projectId: string, blogId: string, url: string): Promise<void>;
  find(projectId: string): Promise<StoredIndexNow>;
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** One replica, at work. */
  start(options: ReplicaOptions): Replica;
}

export interface Replica extends IndexNow {
  readonly lines: readonly LogLine[];
}

export interface ReplicaOptions extends Partial<Omit<IndexNowParts, 'policy'>> {
  readonly endpoint: string;
  readonly policy?: Partial<RetryPolicy>;
  readonly urlGuard?: UrlGuard;
}

const DELAY_MS = 100;
const WINDOW = { quietMs: 0, maxWaitMs: 0, servedWaitMs: 3_600_000 };

export async function openIndexNowGround(): Promise<IndexNowGround> {
  const ground = await openGround(20);
  const { databaseUrl, database, pool, query } = ground;
  const settings = createIndexNowStore(database);
  const pings = createPingStore(database, DELAY_MS);
  const changes = createChangeStore(database);
  const requests = createRequestStore(database);
  const plans = createPlanStore(database, pool, createEventCache());
  const replicas: IndexNow[] = [];
  const find = async (projectId: string) => {
    const found = await settings.find(projectId);
    if (found === null) throw new Error('IndexNow is off in this project.');
    return found;
  };
  const findKey = async (projectId: string, siteUrl: string) => {
    const { key } = await find(projectId);
    await settings.recordCheck(projectId, { key, siteUrl, detail: null });
  };
  return {
    databaseUrl,
    settings,
    pings,
    query,
    async addProject(siteUrl, { isOn = true, hasKey = siteUrl !== null, hasHook = false } = {}) {
      const id = randomUUID();
      await query(`INSERT INTO project (id, event_number, name, site_url, account_id) VALUES ($1, 1, 'Site', $2, $1)`, [
        id,
        siteUrl,
      ]);
      if (isOn) await settings.turnOn(id);
      if (isOn && hasKey && siteUrl !== null) await findKey(id, siteUrl);
      if (hasHook) {
        await query(
          `INSERT INTO deploy_hook (project_id, method, sealed_url, sealed_parts, active)
           VALUES ($1, 'POST', 'sealed', 'sealed', true)`,
          [id],
        );
      }
      return id;
    },
    findKey,
    async take(...events) {
      await changes.keep(events, WINDOW);
      await pings.keep(events);
      await plans.plan(events, { servedWaitMs: 0 });
    },
    async requestHook(...events) {
      await changes.markServed(
        events.map((event) => servedEvent(event).data),
        WINDOW,
      );
      const [claimed] = await requests.claim({ inAll: 1, perTenant: 1, tenants: new Map() }, 60_000);
      if (claimed === undefined) throw new Error('No request is due.');
      return async () => {
        await pings.siteRebuilds(claimed.projectId, claimed.id);
        const ended = { endedAt: new Date(), statusCode: 200, timings: null };
        await requests.record(claimed, { verdict: { kind: 'succeeded' }, ...ended });
      };
    },
    async addLiveUrl(projectId, blogId, url) {
      const id = randomUUID();
      await query(
        `INSERT INTO integration (id, project_id, name, shown_url, sealed_url, active)
         VALUES ($1, $2, 'Site', $3, 'sealed', true)`,
        [id, projectId, url],
      );
      await query(
        `INSERT INTO receiver_blog (integration_id, blog_id, published, live_url, position)
         VALUES ($1, $2, true, $3, 1)`,
        [id, blogId, url],
      );
    },
    find,
    start({ policy, urlGuard, ...options }) {
      const { logger, lines } = recordingLogger();
      const guard = urlGuard ?? createUrlGuard({ allowHttp: true, allowedRanges: ['127.0.0.0/8'] });
      const replica = startIndexNow({
        database,
        delayMs: DELAY_MS,
        pollIntervalMs: 20,
        metrics: createMetrics('webhook-dispatcher'),
        leaseMs: 10_000,
        userAgent: 'BlogContentService/9.9.9',
        policy: { ...RETRY_POLICY, delaysMs: [20], ...policy },
        random: () => 0.5,
        now: () => new Date(),
        send: (request, interrupted) => sendUnleased(request, { agents: guard.agents, timeoutMs: 5_000, interrupted }),
        logger,
        ...options,
      });
      replicas.push(replica);
      return { ...replica, lines };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.map((replica) => replica.stop(0)));
      await ground[Symbol.asyncDispose]();
    },
  };
}
