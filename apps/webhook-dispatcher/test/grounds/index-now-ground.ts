import { randomUUID } from 'node:crypto';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import { createMetrics } from '@blog-content/service-runtime';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { RETRY_POLICY, type RetryPolicy } from '../../src/http/judge.ts';
import { sendUnleased } from '../../src/http/send-webhook.ts';
import { type AddressStore, createAddressStore } from '../../src/index-now/address-store.ts';
import { createIndexNowStore, type IndexNowStore, type StoredIndexNow } from '../../src/index-now/index-now-store.ts';
import {
  INDEX_NOW_PACE,
  type IndexNow,
  type IndexNowParts,
  startIndexNow,
} from '../../src/index-now/start-index-now.ts';
import { createTurnStore, type TurnStore } from '../../src/index-now/turn-store.ts';
import { createPlanStore } from '../../src/planning/plan-store.ts';
import { createEventCache } from '../../src/payload/event-cache.ts';
import type { TestEvent } from '../events.ts';
import { type LogLine, recordingLogger } from '../recording-logger.ts';
import { openGround } from './open-ground.ts';

/** The stores of IndexNow on one database, and a look behind them. */
export interface IndexNowGround extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly settings: IndexNowStore;
  readonly addresses: AddressStore;
  readonly turns: TurnStore;
  /** A new project that is known, with a website; its id. */
  addProject(
    siteUrl: string | null,
    options?: { readonly accountId?: string; readonly isOn?: boolean },
  ): Promise<string>;
  /** Takes an event in as the consumer does: IndexNow first. */
  take(...events: readonly TestEvent<VisibilityEvent>[]): Promise<void>;
  /** Has a receiver of the project say where a post lives. */
  addLiveUrl(projectId: string, blogId: string, url: string): Promise<void>;
  find(projectId: string): Promise<StoredIndexNow>;
  /** What was given up, by slug: why. */
  givenUp(projectId: string): Promise<Record<string, string>>;
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

/** Delays as short as tests like them; the last look never comes. */
const SHORT = {
  lookDelaysMs: [...Array<number>(50).fill(50), 3_600_000],
  quietMs: 100,
  pollIntervalMs: 20,
  restMs: 20,
  keyBackoff: { firstMs: 50, maxMs: 50 },
};

export async function openIndexNowGround(): Promise<IndexNowGround> {
  const ground = await openGround(20);
  const { databaseUrl, database, pool, query } = ground;
  const settings = createIndexNowStore(database);
  const addresses = createAddressStore(database);
  const plans = createPlanStore(database, pool, createEventCache());
  const replicas: IndexNow[] = [];
  return {
    databaseUrl,
    settings,
    addresses,
    turns: createTurnStore(database),
    query,
    async addProject(siteUrl, { accountId = randomUUID(), isOn = true } = {}) {
      const id = randomUUID();
      await query(`INSERT INTO project (id, event_number, name, site_url, account_id) VALUES ($1, 1, 'Site', $2, $3)`, [
        id,
        siteUrl,
        accountId,
      ]);
      if (isOn) await settings.turnOn(id);
      return id;
    },
    async take(...events) {
      await addresses.keep(events);
      await plans.plan(events, { servedWaitMs: 0 });
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
    async find(projectId) {
      const found = await settings.find(projectId);
      if (found === null) throw new Error('IndexNow is off in this project.');
      return found;
    },
    async givenUp(projectId) {
      const rows = await settings.findGivenUp(projectId);
      return Object.fromEntries(rows.map(({ slug, detail }) => [slug, detail]));
    },
    start({ policy, urlGuard, ...options }) {
      const { logger, lines } = recordingLogger();
      const guard = urlGuard ?? createUrlGuard({ allowHttp: true, allowedRanges: ['127.0.0.0/8'] });
      const replica = startIndexNow({
        ...INDEX_NOW_PACE,
        ...SHORT,
        database,
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
