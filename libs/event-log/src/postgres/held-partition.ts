import { backoffMs, pause } from '@blog-content/concurrency';
import { HANDLER_BACKOFF } from '../backoff.ts';
import type { SubscribeOptions } from '../event-log.ts';
import { handleBatch } from '../handle-batch.ts';
import type { OutgoingMessage, StoredMessage } from '../messages/message.ts';

/** A partition that this member holds. One batch at a time is handled. */
export interface HeldPartition {
  readonly topic: string;
  readonly partition: number;
  /** The next message to fetch; everything before has been handled. */
  nextOffset: bigint;
  /** What the log knows of that. */
  committedOffset: bigint;
  /** Most messages to handle together. */
  readonly batchSize: number;
  /** Set while a batch is being handled. */
  running: Promise<void> | undefined;
  /** There may be messages at `nextOffset`: something was appended, or the last fetch did not take everything. */
  mayHaveMore: boolean;
  /** Aborted when the partition is to be let go of: a running handler ends, nothing is tried again. */
  readonly letGo: AbortController;
}

export interface PartitionWork {
  readonly options: SubscribeOptions;
  appendDeadLetters(messages: readonly OutgoingMessage[]): Promise<void>;
}

/**
 * Handles a batch, again and again with growing pauses until it succeeds or the partition is let go of. Never rejects.
 */
export async function handleUntilDone(
  held: HeldPartition,
  messages: readonly StoredMessage[],
  work: PartitionWork,
): Promise<void> {
  const { group, handlers, logger, metrics, parking } = work.options;
  const context = {
    group,
    logger,
    ...(metrics && { metrics }),
    ...(parking && { parking }),
    appendDeadLetters: (letters: readonly OutgoingMessage[]) => work.appendDeadLetters(letters),
  };
  const { topic, partition, letGo } = held;
  const [first, last] = [messages[0], messages.at(-1)];
  const handler = handlers.find((each) => each.topic.name === topic);
  if (first === undefined || last === undefined || handler === undefined) return;
  for (let failures = 1; !letGo.signal.aborted; failures++) {
    try {
      await handleBatch(messages, { ...context, handler });
      held.nextOffset = BigInt(last.offset) + 1n;
      return;
    } catch (error) {
      const retryInMs = backoffMs(failures, HANDLER_BACKOFF);
      metrics?.batchFailed(topic);
      logger.error('batch.failed', { group, topic, partition, offset: first.offset, failures, retryInMs, error });
      await pause(retryInMs, letGo.signal);
      if (letGo.signal.aborted) return;
    }
  }
}
