import type { Consumer, Kafka } from 'kafkajs';
import type { SubscribeOptions, Subscription } from '../event-log.ts';
import { keepConsuming } from '../keep-consuming.ts';
import type { OutgoingMessage } from '../messages/message.ts';
import { createKafkaBatches } from './kafka-batches.ts';
import { partitionAssigner } from './partition-assigner.ts';

/** A member that has not been heard of for so long loses its partitions to the others. */
const SESSION_TIMEOUT_MS = 10_000;
/** How long the group waits for a member that is in the middle of a batch. */
const REBALANCE_TIMEOUT_MS = 30_000;
/** Longest wait of one fetch. The broker answers as soon as there is a byte; this bounds how long a stop takes. */
const MAX_FETCH_WAIT_MS = 250;
/** Of one partition in one fetch, or one request; unpacked it is no more than a handler gets together. */
const MAX_FETCHED_BYTES = 512 * 1024;
/** Partitions handled at the same time. */
const CONCURRENT_PARTITIONS = 16;

export interface KafkaConsumerDependencies {
  readonly kafka: Kafka;
  ensureTopics(): Promise<void>;
  appendDeadLetters(messages: readonly OutgoingMessage[]): Promise<void>;
}

/** Starts a consumer that is kept running: kafkajs stops after a few retries and on unknown errors. */
export function startKafkaConsumer(
  options: SubscribeOptions,
  dependencies: KafkaConsumerDependencies,
): Promise<Subscription> {
  return keepConsuming(options, (stopping, joined) => runOnce(options, dependencies, stopping, joined));
}

/** Runs one kafkajs consumer until it crashes (rejects with the reason) or is stopped (resolves). */
async function runOnce(
  options: SubscribeOptions,
  dependencies: KafkaConsumerDependencies,
  stopping: AbortSignal,
  joined: () => void,
): Promise<void> {
  await dependencies.ensureTopics();
  const consumer = dependencies.kafka.consumer({
    groupId: options.group,
    sessionTimeout: SESSION_TIMEOUT_MS,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    heartbeatInterval: 1_000,
    minBytes: 1,
    maxWaitTimeInMs: MAX_FETCH_WAIT_MS,
    maxBytesPerPartition: MAX_FETCHED_BYTES,
    allowAutoTopicCreation: false,
    metadataMaxAge: 60_000,
    partitionAssigners: [partitionAssigner],
    // kafkajs can restart a crashed consumer by itself, but not every one, and not while it is being stopped.
    retry: { retries: 3, initialRetryTime: 100, maxRetryTime: 1_000, restartOnFailure: () => Promise.resolve(false) },
  });
  const batches = createKafkaBatches(options, (messages) => dependencies.appendDeadLetters(messages));
  const ending = Promise.withResolvers<unknown>();
  const stop = () => ending.resolve(undefined);
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  consumer.on(consumer.events.CRASH, ({ payload }) => ending.resolve(payload.error));
  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberAssignment } }) => {
    batches.rejoined();
    options.logger.info('consumer.joined', { group: options.group, partitions: memberAssignment });
    joined();
  });
  try {
    const running = run(consumer, options, batches.eachBatch);
    running.catch(ending.resolve);
    const error = await ending.promise;
    // A kafkajs consumer that is stopped during a join still joins, and stays.
    await running.catch(() => undefined);
    if (!stopping.aborted) throw error;
  } finally {
    stopping.removeEventListener('abort', stop);
    batches.close();
    await consumer.disconnect().catch((error: unknown) => options.logger.debug('kafka.disconnect_failed', { error }));
  }
}

async function run(
  consumer: Consumer,
  { handlers }: SubscribeOptions,
  eachBatch: ReturnType<typeof createKafkaBatches>['eachBatch'],
): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topics: handlers.map(({ topic }) => topic.name), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
    eachBatch,
  });
}
