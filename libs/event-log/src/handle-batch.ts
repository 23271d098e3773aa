import type { ReceivedEvent } from './messages/envelope.ts';
import { toDeadLetter } from './dead-letter.ts';
import type { SubscribeOptions, TopicHandler } from './event-log.ts';
import type { EventLogLogger } from './logger.ts';
import { readMessage, type OutgoingMessage, type StoredMessage, type UnreadableReason } from './messages/message.ts';
import { inConsumerSpan } from './messages/trace.ts';

/** Values that a handler gets together, in bytes; a message that is larger comes alone. */
export const MAX_HANDLED_BYTES = 4 * 1024 * 1024;

/** What handling a batch needs of the adapter. */
export interface BatchContext {
  readonly group: string;
  readonly handler: TopicHandler;
  readonly logger: EventLogLogger;
  readonly metrics?: SubscribeOptions['metrics'];
  readonly parking?: SubscribeOptions['parking'];
  appendDeadLetters(messages: readonly OutgoingMessage[]): Promise<void>;
}

/**
 * Handles messages of one partition: readable ones go to the handler in one call, unreadable ones to the dead-letter
 * topic, and those of a type that is not known here are passed over. When it resolves, the offsets of all of them may
 * be committed; when it rejects, none.
 */
export async function handleBatch(messages: readonly StoredMessage[], context: BatchContext): Promise<void> {
  const { group, handler, logger, metrics, parking } = context;
  const { events, unreadable, unknown } = readAll(messages, handler);
  const deadLetters = unreadable.map(({ message, reason, detail }) => {
    const { topic, partition, offset } = message;
    logger.error('event.unreadable', { topic, partition, offset, group, reason, detail });
    return toDeadLetter(message, { group, reason, detail });
  });
  const [first] = events;
  if (first !== undefined) {
    const { topic, partition } = first;
    const traceparents = events.map(({ traceparent }) => traceparent);
    await inConsumerSpan({ topic, partition, group, traceparents }, () =>
      parking === undefined ? handler.handle(events) : parking.handle(handler, events),
    );
  }
  // After the handler: a batch that is tried again and again makes its dead letters once, and is counted once.
  if (deadLetters.length > 0) {
    await context.appendDeadLetters(deadLetters);
    metrics?.deadLettered(handler.topic.name, deadLetters.length);
  }
  for (const type of unknown) metrics?.passedOver(handler.topic.name, type);
  tellPassedOver(unknown, handler, logger);
}

/** Hands the readable ones of the messages on; the others are logged. For readings that are no group's. */
export async function handOn(
  messages: readonly StoredMessage[],
  { handler, logger }: Pick<BatchContext, 'handler' | 'logger'>,
): Promise<void> {
  const { events, unreadable, unknown } = readAll(messages, handler);
  for (const { message, reason, detail } of unreadable) {
    const { topic, partition, offset } = message;
    logger.warn('event.unreadable', { topic, partition, offset, reason, detail });
  }
  tellPassedOver(unknown, handler, logger);
  if (events.length > 0) await handler.handle(events);
}

interface Unreadable {
  readonly message: StoredMessage;
  readonly reason: UnreadableReason;
  readonly detail: string;
}

function readAll(messages: readonly StoredMessage[], { topic }: Pick<TopicHandler, 'topic'>) {
  const events: ReceivedEvent[] = [];
  const unreadable: Unreadable[] = [];
  const unknown: string[] = [];
  for (const message of messages) {
    const result = readMessage(message, topic);
    if (result.readable) events.push(result.event);
    else if (result.reason === 'unknown-type') unknown.push(result.type);
    else unreadable.push({ message, reason: result.reason, detail: result.detail });
  }
  return { events, unreadable, unknown };
}

function tellPassedOver(unknown: readonly string[], { topic }: TopicHandler, logger: EventLogLogger): void {
  if (unknown.length === 0) return;
  logger.info('event.passed_over', { topic: topic.name, events: unknown.length, types: [...new Set(unknown)] });
}
