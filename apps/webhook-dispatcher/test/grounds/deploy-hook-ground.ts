import { randomBytes, randomUUID } from 'node:crypto';
import { createSecretBox, secretBoxKeys } from '@blog-content/credentials';
import type { VisibilityEvent } from '@blog-content/payload-schemas';
import { createMetrics } from '@blog-content/service-runtime';
import { createUrlGuard, type UrlGuard } from '@blog-content/url-guard';
import { createEventCache } from '../../src/payload/event-cache.ts';
import { RETRY_POLICY, type RetryPolicy } from '../../src/http/judge.ts';
import { createPlanStore } from '../../src/planning/plan-store.ts';
import { type ChangeStore, createChangeStore } from '../../src/deploy-hooks/changes/change-store.ts';
import { createHookSecrets, type HookParts } from '../../src/deploy-hooks/settings/hook-secrets.ts';
import { createHookStore, type HookStore } from '../../src/deploy-hooks/settings/hook-store.ts';
import { createRequestLogStore, type LoggedRequest } from '../../src/deploy-hooks/request-log-store.ts';
import { createRequestStore, type RequestStore } from '../../src/deploy-hooks/request-store.ts';
import {
  type DeployHooks,
  type DeployHookSettings,
  startDeployHooks,
} from '../../src/deploy-hooks/start-deploy-hooks.ts';
import { sendUnleased } from '../../src/http/send-webhook.ts';
import type { WindowRules } from '../../src/deploy-hooks/changes/window.ts';
import type { FreeSlots } from '../../src/concurrency/slots.ts';
import { type TestEvent, servedEvent } from '../events.ts';
import { type LogLine, recordingLogger } from '../recording-logger.ts';
import { openGround } from './open-ground.ts';

/** A deploy hook as a test gives it. */
export interface GivenHook extends Partial<HookParts> {
  readonly url?: string;
  readonly method?: 'POST' | 'GET';
  readonly active?: boolean;
}

/** The stores of deploy hooks on one database, and a look behind them. */
export interface DeployHookGround extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly hooks: HookStore;
  readonly changes: ChangeStore;
  readonly requests: RequestStore;
  /** A new project that is known, with a hook. */
  addProject(hook?: GivenHook, accountId?: string): Promise<string>;
  saveHook(projectId: string, hook?: GivenHook): Promise<void>;
  deleteProject(projectId: string): Promise<void>;
  /** Takes an event in as the consumer does: the deploy hooks first. */
  take(event: TestEvent<VisibilityEvent>, rules?: Partial<typeof ANY_TIME>): Promise<void>;
  /** Takes an acknowledgement in as the consumer does: the deploy hooks last. */
  serve(event: TestEvent<VisibilityEvent>, rules?: Partial<WindowRules>): Promise<void>;
  /** The project's requests, newest first. */
  history(projectId: string): Promise<LoggedRequest['request'][]>;
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** One replica's deploy hooks, at work. */
  start(options?: ReplicaOptions): Replica;
}

/** A replica, and what it has written. */
export interface Replica extends DeployHooks {
  readonly lines: readonly LogLine[];
  readonly metrics: () => Promise<string>;
}

export interface ReplicaOptions extends Partial<DeployHookSettings> {
  readonly policy?: Partial<RetryPolicy>;
  readonly urlGuard?: UrlGuard;
}

/** A claim of all that is due, by a process with nothing in flight. */
export const ANY_REQUEST: FreeSlots = { inAll: 100, perTenant: 100, tenants: new Map() };
/** Windows that never become due by themselves. */
const ANY_TIME = { quietMs: 3_600_000, maxWaitMs: 3_600_000, servedWaitMs: 3_600_000 };
/** Windows as short as tests like them. */
const AT_ONCE = { quietMs: 30, maxWaitMs: 300, servedWaitMs: 3_600_000 };

export async function openDeployHookGround(): Promise<DeployHookGround> {
  const ground = await openGround(20);
  const { databaseUrl, database, pool, query } = ground;
  const secretBox = createSecretBox(secretBoxKeys.parse(`k1:${randomBytes(32).toString('base64')}`));
  const secrets = createHookSecrets(secretBox);
  const hooks = createHookStore(database);
  const changes = createChangeStore(database);
  const plans = createPlanStore(database, pool, createEventCache());
  const log = createRequestLogStore(database);
  const replicas: DeployHooks[] = [];

  const saveHook = async (projectId: string, hook: GivenHook = {}) => {
    const { url, method = 'POST', headers = {}, body = null, active = true } = hook;
    await hooks.save({
      projectId,
      method,
      sealedUrl: secrets.sealUrl(projectId, url ?? 'https://host.example/hooks/of-the-owner'),
      sealedParts: secrets.sealParts(projectId, { headers, body }),
      active,
    });
  };

  return {
    databaseUrl,
    hooks,
    changes,
    requests: createRequestStore(database),
    saveHook,
    async addProject(hook, accountId = randomUUID()) {
      const id = randomUUID();
      await query(`INSERT INTO project (id, event_number, name, account_id) VALUES ($1, 1, 'Site', $2)`, [
        id,
        accountId,
      ]);
      await saveHook(id, hook);
      return id;
    },
    async deleteProject(projectId) {
      await query('UPDATE project SET deleted = true WHERE id = $1', [projectId]);
    },
    async take(event, rules) {
      await changes.keep([event], { ...ANY_TIME, ...rules });
      await plans.plan([event], { servedWaitMs: 0 });
    },
    async serve(event, rules) {
      const { data } = servedEvent(event);
      await plans.markServed([data]);
      await changes.markServed([data], { ...ANY_TIME, ...rules });
    },
    history: async (projectId) => (await log.list(projectId, null, 100)).map(({ request }) => request),
    query,
    start({ policy, urlGuard, ...settings } = {}) {
      const { logger, lines } = recordingLogger();
      const metrics = createMetrics('webhook-dispatcher');
      const guard = urlGuard ?? createUrlGuard({ allowHttp: true, allowedRanges: ['127.0.0.0/8'] });
      const timeoutMs = settings.timeoutMs ?? 10_000;
      const replica = startDeployHooks(
        { ...AT_ONCE, concurrency: 16, perAccount: 16, historyDays: 30, leaseMs: 10_000, timeoutMs, ...settings },
        {
          database,
          secretBox,
          siteRebuilds: () => Promise.resolve(),
          logger,
          metrics,
          random: () => 0.5,
          now: () => new Date(),
          userAgent: 'BlogContentService/9.9.9',
          policy: { ...RETRY_POLICY, delaysMs: [20], ...policy },
          send: (request, interrupted) => sendUnleased(request, { agents: guard.agents, timeoutMs, interrupted }),
        },
      );
      replicas.push(replica);
      return { ...replica, lines, metrics: () => metrics.registry.metrics() };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(replicas.map((replica) => replica.stop(0)));
      await ground[Symbol.asyncDispose]();
    },
  };
}
