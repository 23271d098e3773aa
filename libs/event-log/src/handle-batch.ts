import type { ReceivedEvent } from './envelope.ts';
import { toDeadLetter } from './dead-letter.ts';
import type { SubscribeOptions, TopicHandler } from './event-log.ts';
import type { EventLogLogger } from './logger.ts';
import { readMessage, type OutgoingMessage, type StoredMessage } from './message.ts';
import { inConsumerSpan } from './trace.ts';

/** What handling a batch needs of the adapter. */
export interface BatchContext {
  readonly group: string;
  readonly handler: TopicHandler;
  readonly logger: EventLogLogger;
  readonly metrics?: SubscribeOptions['metrics'];
  appendDeadLetters(messages: readonly OutgoingMessage[]): Promise<void>;
}

/**
 * Handles messages of one partition: readable ones go to the handler in one call, the others to the dead-letter topic.
 * When it resolves, the offsets of all of them may be committed; when it rejects, none.
 */
export async function handleBatch(messages: readonly StoredMessage[], context: BatchContext): Promise<void> {
  const { group, handler, logger } = context;
  const events: ReceivedEvent[] = [];
  const deadLetters: OutgoingMessage[] = [];
  for (const message of messages) {
    const result = readMessage(message, handler.topic);
    if (result.readable) {
      events.push(result.event);
    } else {
      const { reason, detail } = result;
      const { topic, partition, offset } = message;
      deadLetters.push(toDeadLetter(message, { group, reason, detail }));
      logger.error('event.unreadable', { topic, partition, offset, group, reason, detail });
    }
  }
  const [first] = events;
  if (first !== undefined) {
    const { topic, partition, traceparent } = first;
    await inConsumerSpan({ topic, partition, group, size: events.length, traceparent }, () => handler.handle(events));
  }
  // After the handler: a batch that is tried again and again makes its dead letters once.
  if (deadLetters.length === 0) return;
  await context.appendDeadLetters(deadLetters);
  context.metrics?.deadLettered(handler.topic.name, deadLetters.length);
}

/** Hands the readable ones of the messages on; the others are logged. For readings that are no group's. */
export async function handOn(
  messages: readonly StoredMessage[],
  { handler, logger }: Pick<BatchContext, 'handler' | 'logger'>,
): Promise<void> {
  const events: ReceivedEvent[] = [];
  for (const message of messages) {
    const result = readMessage(message, handler.topic);
    if (result.readable) {
      events.push(result.event);
    } else {
      const { topic, partition, offset } = message;
      logger.warn('event.unreadable', { topic, partition, offset, reason: result.reason, detail: result.detail });
    }
  }
  if (events.length > 0) await handler.handle(events);
}
