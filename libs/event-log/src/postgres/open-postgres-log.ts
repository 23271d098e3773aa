import { openPool } from '@blog-content/postgres';
import { createAppendQueue } from '../append-queue.ts';
import type { AppendOptions, EventLog, Subscription, TopicDeclaration } from '../event-log.ts';
import { lagOf } from '../lag.ts';
import type { EventLogLogger } from '../logger.ts';
import { toMessage, type OutgoingMessage } from '../messages/message.ts';
import { createAppendMessages } from './append-messages.ts';
import { startPostgresConsumer } from './postgres-consumer.ts';
import { openPostgresReader } from './postgres-reader.ts';
import { createLogSchema } from './schema.ts';
import { sweep } from './sweep.ts';
import { createMissingTopics, positionsOf } from './topics.ts';

const SWEEP_EVERY_MS = 60_000;
const PING_TIMEOUT_MS = 3_000;

/** The event log in a PostgreSQL database, in a schema of its own that is created when first used. */
export function openPostgresLog({ databaseUrl }: { readonly databaseUrl: string }, logger: EventLogLogger): EventLog {
  const config = {
    connectionString: databaseUrl,
    application_name: 'event-log',
    max: 4,
    connectionTimeoutMillis: PING_TIMEOUT_MS,
    // A sweep of a log that has grown takes a while.
    statement_timeout: 15_000,
  };
  // No event of note: queries under way on it fail and say so, and the next use opens another.
  const pool = openPool(config, (error) => logger.debug('postgres.connection_lost', { error }));
  const appendMessages = createAppendMessages(pool);
  const appending = new Set<Promise<void>>();
  const subscriptions = new Set<Subscription>();
  const closing = new AbortController();
  let schema: Promise<void> | undefined;
  let sweeping: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;

  function schemaExists(): Promise<void> {
    schema ??= createLogSchema(pool).catch((error: unknown) => {
      schema = undefined;
      throw error;
    });
    return schema;
  }

  const queue = createAppendQueue(async (messages, assertAllowed) => {
    await schemaExists();
    await appendMessages(messages, assertAllowed);
  });

  function append(messages: readonly OutgoingMessage[], options?: AppendOptions): Promise<void> {
    const appended = queue.append(messages, options);
    const ended = appended.catch(() => undefined).finally(() => appending.delete(ended));
    appending.add(ended);
    return appended;
  }

  async function ensureTopics(topics: readonly TopicDeclaration[]): Promise<void> {
    await schemaExists();
    await createMissingTopics(pool, topics);
  }

  const positions: EventLog['positions'] = async (group, topics) => {
    await schemaExists();
    return positionsOf(
      pool,
      group,
      topics.map(({ name }) => name),
    );
  };

  const sweeper = setInterval(() => {
    sweeping = schemaExists()
      .then(() => sweep(pool, closing.signal))
      .then((removed) => logger.debug('log.swept', { removed }))
      .catch((error: unknown) => logger.warn('log.sweep_failed', { error }));
  }, SWEEP_EVERY_MS);
  sweeper.unref();

  return {
    append: (envelopes, options) => append(envelopes.map(toMessage), options),
    ensureTopics,
    async subscribe(options) {
      const running = await startPostgresConsumer(options, {
        databaseUrl,
        ensureTopics: () => ensureTopics(options.handlers.map(({ topic }) => topic)),
        appendDeadLetters: append,
      });
      const subscription: Subscription = {
        async stop() {
          await running.stop();
          subscriptions.delete(subscription);
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },
    async readFromBeginning(options) {
      await schemaExists();
      return openPostgresReader(pool, options);
    },
    positions,
    lag: async (group, topics) => lagOf(await positions(group, topics)),
    async ping() {
      await pool.query({ text: 'SELECT 1', query_timeout: PING_TIMEOUT_MS } as { text: string });
    },
    close() {
      closed ??= (async () => {
        clearInterval(sweeper);
        closing.abort();
        await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
        await Promise.all(appending);
        await sweeping;
        await pool.end();
      })();
      return closed;
    },
  };
}
