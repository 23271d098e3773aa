import { CompressionTypes, type ICustomPartitioner, type Kafka, type Producer, type TopicMessages } from 'kafkajs';
import { createAppendQueue } from '../append-queue.ts';
import type { AppendOptions } from '../event-log.ts';
import type { EventLogLogger } from '../logger.ts';
import type { OutgoingMessage } from '../messages/message.ts';
import { partitionOf } from '../partitions/murmur2.ts';
import { inChunks } from './chunks.ts';

/** Values of one request, in bytes: far below the broker's limit for a batch, large enough to be efficient. */
const MAX_REQUEST_BYTES = 1024 * 1024;
/**
 * Smaller requests wait for the compressor, and their readers for its opposite, longer than for what they would save on
 * the way.
 */
const COMPRESS_FROM_BYTES = 64 * 1024;
/** How long the broker may wait for the replicas: shorter than the client waits for the broker. */
const ACK_TIMEOUT_MS = 5_000;

/** Appends messages to Kafka. */
export interface KafkaAppender {
  /** Durable on all in-sync replicas when it resolves; the array's order is kept per partition key. */
  append(messages: readonly OutgoingMessage[], options?: AppendOptions): Promise<void>;
  /** Waits for running appends, then disconnects. */
  close(): Promise<void>;
}

/**
 * One idempotent producer, one request at a time.
 *
 * A producer whose request has failed is never used again. Whether the broker has the request's records is then
 * unknown, and kafkajs gives their sequence numbers to the records that come next: had the broker stored the former, it
 * would take the latter for repeats and drop them silently. A new producer starts with an id and numbers of its own.
 */
export function createKafkaAppender(kafka: Kafka, logger: EventLogLogger): KafkaAppender {
  let producer: Promise<Producer> | undefined;
  const queue = createAppendQueue(send);

  async function connect(): Promise<Producer> {
    const created = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: partitionByPartitionKey,
      metadataMaxAge: 60_000,
      // About 3 s of patience: the partitions of a new topic, or of a lost broker, may be without a leader for a
      // moment.
      retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 1_000 },
    });
    try {
      await created.connect();
    } catch (error) {
      await created.disconnect().catch(() => undefined);
      throw error;
    }
    return created;
  }

  async function discard(): Promise<void> {
    const discarded = producer;
    producer = undefined;
    const connected = await discarded?.catch(() => undefined);
    await connected?.disconnect().catch((error: unknown) => logger.debug('kafka.disconnect_failed', { error }));
  }

  async function send(messages: readonly OutgoingMessage[], assertAllowed: () => void): Promise<void> {
    try {
      for (const chunk of inChunks(messages, sizeOf, MAX_REQUEST_BYTES)) {
        const bytes = chunk.reduce((sum, message) => sum + sizeOf(message), 0);
        const connected = await (producer ??= connect());
        assertAllowed();
        await connected.sendBatch({
          acks: -1,
          timeout: ACK_TIMEOUT_MS,
          compression: bytes >= COMPRESS_FROM_BYTES ? CompressionTypes.GZIP : CompressionTypes.None,
          topicMessages: byTopic(chunk),
        });
      }
    } catch (error) {
      await discard();
      throw error;
    }
  }

  return {
    append: (messages, options) => queue.append(messages, options),
    async close() {
      await queue.idle();
      await discard();
    },
  };
}

/** Chooses the partition by the header `ce_partitionkey`, as the contract of the topics says, not by the key. */
const partitionByPartitionKey: ICustomPartitioner =
  () =>
  ({ partitionMetadata, message }) =>
    partitionOf(
      message.headers?.['ce_partitionkey']?.toString() ?? message.key?.toString() ?? '',
      partitionMetadata.length,
    );

function byTopic(messages: readonly OutgoingMessage[]): TopicMessages[] {
  const groups = Map.groupBy(messages, ({ topic }) => topic);
  return [...groups].map(([topic, group]) => ({
    topic,
    // No timestamp: the client's now. Retention counts from the append; the event's own time is in ce_time.
    messages: group.map(({ key, value, headers }) => ({
      key,
      value: typeof value === 'string' ? Buffer.from(value) : value,
      headers,
    })),
  }));
}

function sizeOf({ value }: OutgoingMessage): number {
  return value === null ? 0 : Buffer.byteLength(value);
}
