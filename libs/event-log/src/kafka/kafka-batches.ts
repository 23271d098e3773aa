import type { EachBatchHandler, EachBatchPayload, IHeaders, KafkaMessage } from 'kafkajs';
import { backoffMs } from '@blog-content/concurrency';
import { HANDLER_BACKOFF } from '../backoff.ts';
import type { SubscribeOptions } from '../event-log.ts';
import { handleBatch, MAX_HANDLED_BYTES } from '../handle-batch.ts';
import type { OutgoingMessage, StoredMessage } from '../messages/message.ts';
import { inChunks } from './chunks.ts';

/** How often a long-running handler's membership is renewed; the client sends at most one heartbeat per second. */
const HEARTBEAT_CHECK_MS = 500;
/** After so long in one fetched batch its rest is left to the next fetch, so that other partitions are handled. */
const FAIR_SHARE_MS = 250;

/** Errors of a heartbeat after which the client rejoins its group. */
const REJOINING: ReadonlySet<string> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'NOT_COORDINATOR_FOR_GROUP',
  'UNKNOWN_MEMBER_ID',
]);

/** Handles what one consumer fetches. */
export interface KafkaBatches {
  readonly eachBatch: EachBatchHandler;
  /** A new assignment is in force. */
  rejoined(): void;
  /** Forgets the retries that wait. */
  close(): void;
}

/**
 * Offsets move only after the handler's success. A partition whose handler has failed is paused until its retry is due,
 * so that the other partitions continue; then the same events are fetched again, since their offsets were not resolved.
 * The client rejoins its group only when every running `eachBatch` has returned: no partition is handled twice
 * concurrently.
 */
export function createKafkaBatches(
  { group, handlers, logger, metrics, parking }: SubscribeOptions,
  appendDeadLetters: (messages: readonly OutgoingMessage[]) => Promise<void>,
): KafkaBatches {
  const handlerOf = new Map(handlers.map((handler) => [handler.topic.name, handler]));
  const context = { group, logger, appendDeadLetters, ...(metrics && { metrics }), ...(parking && { parking }) };
  const failuresOf = new Map<string, number>();
  const retries = new Set<NodeJS.Timeout>();
  /** The assignment is no longer in force: what has not been started is left to the next one. */
  let rejoining = false;
  let generation = 0;
  let committing: Promise<void> = Promise.resolve();
  let nextCommit: Promise<void> | undefined;

  /** Commits all that has been handled. Partitions that are done at the same time share one request. */
  function commit(payload: EachBatchPayload): Promise<void> {
    nextCommit ??= committing
      .catch(() => undefined)
      .then(() => {
        nextCommit = undefined;
        committing = payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
        return committing;
      });
    return nextCommit;
  }

  async function renewing(payload: EachBatchPayload, work: () => Promise<void>): Promise<unknown> {
    let lost: unknown;
    const timer = setInterval(() => {
      payload.heartbeat().catch((error: unknown) => {
        lost ??= error;
        rejoining ||= REJOINING.has((error as { type?: string }).type ?? '');
      });
    }, HEARTBEAT_CHECK_MS);
    try {
      await work();
    } finally {
      clearInterval(timer);
    }
    return lost;
  }

  function retryLater(payload: EachBatchPayload, offset: string, error: unknown): void {
    const { topic, partition } = payload.batch;
    const failures = (failuresOf.get(`${topic}/${partition}`) ?? 0) + 1;
    failuresOf.set(`${topic}/${partition}`, failures);
    const retryInMs = backoffMs(failures, HANDLER_BACKOFF);
    metrics?.batchFailed(topic);
    logger.error('batch.failed', { group, topic, partition, offset, failures, retryInMs, error });
    const resume = payload.pause();
    const timer = setTimeout(() => {
      retries.delete(timer);
      resume();
    }, retryInMs);
    retries.add(timer);
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const { topic, partition } = batch;
    const handler = handlerOf.get(topic);
    if (handler === undefined) return;
    const { batchSize } = handler;
    const startedAt = performance.now();
    const startedIn = generation;
    for (let at = 0; at < batch.messages.length;) {
      if (!payload.isRunning() || payload.isStale() || rejoining) return;
      const messages = nextOf(batch.messages, at, batchSize).map((message) => toStored(topic, partition, message));
      at += messages.length;
      const [first, last] = [messages[0], messages.at(-1)];
      if (first === undefined || last === undefined) return;
      let lost: unknown;
      try {
        lost = await renewing(payload, () => handleBatch(messages, { ...context, handler }));
      } catch (error) {
        retryLater(payload, first.offset, error);
        return;
      }
      // The client has rejoined by now: the partition may be another member's, which starts from the last commit.
      if (generation !== startedIn) return;
      failuresOf.delete(`${topic}/${partition}`);
      payload.resolveOffset(last.offset);
      await commit(payload);
      if (lost !== undefined) throw lost as Error;
      await payload.heartbeat();
      if (performance.now() - startedAt > FAIR_SHARE_MS) return;
    }
  }

  return {
    eachBatch,
    rejoined() {
      rejoining = false;
      generation++;
      failuresOf.clear();
      parking?.reassigned();
    },
    close() {
      for (const timer of retries) clearTimeout(timer);
      retries.clear();
    },
  };
}

/**
 * The messages from `at` on that a handler gets together. What is fetched is limited as it is compressed, and may be
 * several times as large.
 */
export function nextOf(messages: readonly KafkaMessage[], at: number, batchSize: number): readonly KafkaMessage[] {
  const bytesOf = ({ value }: KafkaMessage) => value?.length ?? 0;
  const [next = []] = inChunks(messages.slice(at, at + batchSize), bytesOf, MAX_HANDLED_BYTES);
  return next;
}

/** A message as Kafka has it, in the form that is the same for every log. */
export function toStored(
  topic: string,
  partition: number,
  { key, value, offset, headers }: KafkaMessage,
): StoredMessage {
  return { topic, partition, offset, key: key?.toString() ?? null, value, headers: toText(headers) };
}

/** Kafka allows a header several times: the last one counts. */
function toText(headers: IHeaders = {}): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value;
    return [name, last?.toString() ?? ''] as const;
  });
  return Object.fromEntries(texts);
}
