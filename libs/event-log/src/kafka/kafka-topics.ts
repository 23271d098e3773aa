import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, ITopicConfig } from 'kafkajs';
import { deadLetterTopic } from '../dead-letter.ts';
import type { TopicDeclaration } from '../event-log.ts';
import type { EventLogLogger } from '../logger.ts';

/** Largest record batch the broker takes: one event with a body of the greatest length in any script, and room. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const CREATE_TIMEOUT_MS = 10_000;

/**
 * Creates the topics that are missing. What exists is left as it is: partitions are never added, since that would send
 * the later events of a key to another partition than the earlier ones, and the cluster's owner may have other
 * settings.
 */
export async function createMissingTopics(
  admin: Admin,
  topics: readonly TopicDeclaration[],
  logger: EventLogLogger,
): Promise<void> {
  const existing = new Set(await admin.listTopics());
  const missing = topics.flatMap((topic) => [topic, deadLetterTopic(topic)]).filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return;
  const { brokers } = await admin.describeCluster();
  // False when another replica has just created them all.
  await admin.createTopics({
    topics: missing.map((topic) => toKafkaTopic(topic, brokers.length)),
    // It would give up when it asks before the broker has heard of the topics.
    waitForLeaders: false,
    timeout: CREATE_TIMEOUT_MS / 2,
  });
  await untilReady(
    admin,
    missing.map(({ name }) => name),
  );
  logger.info('topics.created', { topics: missing.map(({ name }) => name) });
}

/** Waits until every partition of the topics has a leader. */
async function untilReady(admin: Admin, topics: string[]): Promise<void> {
  const deadline = performance.now() + CREATE_TIMEOUT_MS;
  for (;;) {
    try {
      const metadata = await admin.fetchTopicMetadata({ topics });
      if (metadata.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
      if (performance.now() > deadline) throw new Error('New topics have no leaders yet.');
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(50);
  }
}

/** The topic as Kafka declares it, for a cluster of so many brokers. */
export function toKafkaTopic({ name, partitions, retention }: TopicDeclaration, brokers: number): ITopicConfig {
  const replicationFactor = Math.min(3, brokers);
  const { keepMs } = retention;
  const settings = {
    'cleanup.policy': [...(retention.compacted ? ['compact'] : []), ...(keepMs === undefined ? [] : ['delete'])].join(),
    ...(retention.compacted && { 'min.compaction.lag.ms': retention.fullHistoryMs }),
    ...(keepMs !== undefined && { 'retention.ms': keepMs }),
    'max.message.bytes': MAX_MESSAGE_BYTES,
    // An acknowledged event survives the loss of any one broker.
    'min.insync.replicas': Math.max(1, replicationFactor - 1),
  };
  return {
    topic: name,
    numPartitions: partitions,
    replicationFactor,
    configEntries: Object.entries(settings).map(([setting, value]) => ({ name: setting, value: String(value) })),
  };
}
