import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, type Admin, type SASLOptions } from 'kafkajs';
import type { EventLog, PartitionPosition, Subscription, TopicDeclaration, TopicReader } from '../event-log.ts';
import { lagOf } from '../lag.ts';
import type { EventLogLogger } from '../logger.ts';
import { toMessage } from '../messages/message.ts';
import { createKafkaAppender } from './kafka-appender.ts';
import { startKafkaConsumer } from './kafka-consumer.ts';
import { openKafkaReader } from './kafka-reader.ts';
import { createMissingTopics } from './kafka-topics.ts';
import { boundCompression } from './kafkajs-compression.ts';
import { kafkajsLogCreator } from './kafkajs-logging.ts';
import { quietRequestQueues } from './kafkajs-request-queue.ts';

const PING_TIMEOUT_MS = 3_000;
const END_TRIES = 25;
const END_RETRY_MS = 200;

/** Where Kafka is, and as whom and how it is spoken to. */
export interface KafkaLogConfig {
  readonly brokers: readonly string[];
  /** The name that Kafka knows this process by. */
  readonly clientId: string;
  /**
   * Present: over TLS. PEM texts: whom to trust instead of the usual authorities; the client's own certificate and its
   * key.
   */
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

/** The event log on Apache Kafka. Connects when first used. */
export function openKafkaLog({ brokers, clientId, ssl, sasl }: KafkaLogConfig, logger: EventLogLogger): EventLog {
  quietRequestQueues();
  boundCompression();
  const kafka = new Kafka({
    clientId,
    brokers: [...brokers],
    ...(ssl && { ssl: { ...ssl } }),
    // The type of the client names one mechanism at a time.
    ...(sasl && { sasl: sasl as SASLOptions }),
    connectionTimeout: 3_000,
    // A broker that comes up may take a request and never answer it: give up soon, a later attempt gets through.
    requestTimeout: 6_000,
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000 },
    logCreator: kafkajsLogCreator(logger),
  });
  const appender = createKafkaAppender(kafka, logger);
  const subscriptions = new Set<Subscription>();
  const readers = new Set<TopicReader>();

  async function withAdmin<Result>(use: (admin: Admin) => Promise<Result>): Promise<Result> {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return await use(admin);
    } finally {
      await admin.disconnect().catch((error: unknown) => logger.debug('kafka.disconnect_failed', { error }));
    }
  }

  const ensureTopics = (topics: readonly TopicDeclaration[]) =>
    withAdmin((admin) => createMissingTopics(admin, topics, logger));

  return {
    append: (envelopes, options) => appender.append(envelopes.map(toMessage), options),
    ensureTopics,
    async subscribe(options) {
      // kafkajs fetches nothing more until all that it has fetched is handled: a member for each topic keeps the events
      // of one from waiting for the handler of another.
      const members = await Promise.all(
        options.handlers.map((handler) =>
          startKafkaConsumer(
            { ...options, handlers: [handler] },
            {
              kafka,
              ensureTopics: () => ensureTopics([handler.topic]),
              appendDeadLetters: (messages) => appender.append(messages),
            },
          ),
        ),
      );
      const subscription: Subscription = {
        async stop() {
          await Promise.all(members.map((member) => member.stop()));
          subscriptions.delete(subscription);
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },
    async readFromBeginning(options) {
      const reader = await openKafkaReader(options, {
        kafka,
        endsOf: (topics) => withAdmin((admin) => endsOf(admin, topics)),
        deleteGroup: (group) => withAdmin(async (admin) => void (await admin.deleteGroups([group]))),
      });
      readers.add(reader);
      return reader;
    },
    positions: (group, topics) => withAdmin((admin) => positionsOf(admin, group, topics)),
    lag: async (group, topics) => lagOf(await withAdmin((admin) => positionsOf(admin, group, topics))),
    async ping() {
      const answered = withAdmin((admin) => admin.describeCluster());
      const { promise: late, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => reject(new Error('Kafka did not respond in time')), PING_TIMEOUT_MS);
      try {
        await Promise.race([answered, late]);
      } finally {
        clearTimeout(timer);
        answered.catch(() => undefined);
      }
    },
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
      await Promise.all([...readers].map((reader) => reader.close()));
      await appender.close();
    },
  };
}

/** Tries again for a while: a topic that was just created may be without leaders for a moment. */
async function endsOf(admin: Admin, topics: readonly string[]) {
  const ofTopic = async (topic: string) =>
    (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => ({ topic, partition, low, high }));
  for (let triesLeft = END_TRIES; ; triesLeft--) {
    try {
      return (await Promise.all(topics.map(ofTopic))).flat();
    } catch (error) {
      if (triesLeft === 0 || (error as { type?: string }).type !== 'NOT_LEADER_FOR_PARTITION') throw error;
      await sleep(END_RETRY_MS);
    }
  }
}

async function positionsOf(
  admin: Admin,
  group: string,
  topics: readonly { readonly name: string }[],
): Promise<PartitionPosition[]> {
  const names = topics.map(({ name }) => name);
  const committed = await admin.fetchOffsets({ groupId: group, topics: names });
  const positions = await Promise.all(
    names.map(async (topic) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const of = committed.find((entry) => entry.topic === topic)?.partitions ?? [];
      return ends.map(({ partition, low, high }) => {
        const offset = of.find((entry) => entry.partition === partition)?.offset ?? '-1';
        return { topic, partition, committed: Math.max(Number(offset), Number(low)), end: Number(high) };
      });
    }),
  );
  return positions.flat();
}
