import { createSessionSigner, createSessionVerifier } from '@blog-content/credentials';
import { connectEventLog, openEventLog } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic } from '@blog-content/payload-schemas';
import { eventLogConfigFrom, observeEventLog, type Logger, type Metrics } from '@blog-content/service-runtime';
import type { Express } from 'express';
import { createAccountStore, type AccountStore } from './accounts/account-store.ts';
import { checkPassword, hashPassword } from './accounts/passwords.ts';
import { createThrottle } from './accounts/throttle.ts';
import { createApp } from './app.ts';
import { createBlogStore } from './blogs/blog-store.ts';
import type { Config } from './config.ts';
import { CONSUMER_GROUP, createTopicHandlers } from './consume.ts';
import { openDatabase } from './open-database.ts';
import { createProjectStore } from './projects/project-store.ts';
import { createDeliveryOutcomeStore } from './publishing/delivery-outcome-store.ts';
import { createPublishStore } from './publishing/publish-store.ts';

/** The service but for its listening. */
export interface ContentService {
  readonly app: Express;
  /** For readiness; each rejects while its part does not work. */
  readonly checks: Readonly<Record<'database' | 'start', () => Promise<void>>>;
  /** Takes in no more events, publishes what is on its way, and lets go of everything. */
  stop(): Promise<void>;
}

/** Wires the service. Requests are served with the event log away: what must be told waits in the outbox. */
export async function startContentService(
  config: Config,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): Promise<ContentService> {
  await using resources = new AsyncDisposableStack();
  const database = openDatabase(config.DATABASE_URL, config.DATABASE_POOL_SIZE);
  resources.defer(() => database.$disconnect());
  const clock = () => new Date();
  const accounts = createAccountStore(database);
  await bootstrapOwner(accounts, config);

  const outcomes = createDeliveryOutcomeStore(database);
  const eventLog = connectEventLog({
    open: () => openEventLog(eventLogConfigFrom(config, CONSUMER_GROUP), logger),
    outboxDatabaseUrl: config.DATABASE_URL,
    group: CONSUMER_GROUP,
    handlers: createTopicHandlers(outcomes),
    produces: [lifecycleTopic, projectsTopic],
    logger,
  });
  resources.defer(() => eventLog.close());
  observeEventLog(eventLog, metrics);

  const signer = createSessionSigner(config.OWNER_SESSION_PRIVATE_JWK);
  const app = createApp({
    accounts,
    signer,
    throttle: createThrottle(() => performance.now()),
    sessionTtlS: config.SESSION_TTL_S,
    verifySession: createSessionVerifier(JSON.stringify(signer.publicJwks())),
    projects: createProjectStore(database, clock),
    blogs: createBlogStore(database, clock),
    publishing: createPublishStore(database, clock),
    outcomes,
    logger,
    metrics,
  });
  const kept = resources.move();
  return {
    app,
    checks: {
      database: async () => {
        await database.$queryRaw`SELECT 1`;
      },
      start: () => eventLog.checkStarted(),
    },
    stop: () => kept.disposeAsync(),
  };
}

/** Makes the first owner's account, or gives it the password of the environment. */
async function bootstrapOwner(accounts: AccountStore, config: Config): Promise<void> {
  const email = config.BOOTSTRAP_OWNER_EMAIL.toLowerCase();
  const password = config.BOOTSTRAP_OWNER_PASSWORD;
  const account = await accounts.findByEmail(email);
  if (account && (await checkPassword(account.passwordHash, password))) return;
  await accounts.save(email, await hashPassword(password));
}
