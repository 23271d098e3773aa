import { randomUUID } from 'node:crypto';
import type { Topic } from '@blog-content/payload-schemas';
import { currentTraceparent } from './trace.ts';

/** An event as it travels: CloudEvents 1.0 attributes and the data. */
export interface EventEnvelope<Data = unknown> {
  /** UUID, unique per event; a redelivered or republished event keeps it: consumers drop repeats by it. */
  readonly id: string;
  readonly topic: string;
  /** Equals `data.event`. */
  readonly type: string;
  /** The emitting service, e.g. `/content-service`. */
  readonly source: string;
  /** Messages of one key are compacted together. */
  readonly key: string;
  /** Messages of one partition key are delivered in the order they were appended. */
  readonly partitionKey: string;
  /** When the event happened: ISO 8601 UTC. */
  readonly time: string;
  /** W3C trace context of the change that caused the event. */
  readonly traceparent?: string;
  readonly data: Data;
}

/** An event as a consumer gets it. */
export interface ReceivedEvent<Data = unknown> extends EventEnvelope<Data> {
  readonly partition: number;
  /** Decimal integer that increases within one partition of one topic; there may be gaps. */
  readonly offset: string;
}

/** The emitting service, and for events whose identity was decided earlier, id and time. */
export interface EnvelopeOptions {
  /** CloudEvents source: `/` and the service's name. */
  readonly source: string;
  /** UUID; a new one when left out. */
  readonly id?: string;
  /** Now when left out. */
  readonly time?: Date;
}

/**
 * Wraps an event for its topic, with the active trace context.
 *
 * @throws ZodError when the data does not match the topic's schema: a bad event never reaches an outbox.
 */
export function toEnvelope<Event extends { event: string }>(
  topic: Topic<Event>,
  data: Event,
  options: EnvelopeOptions,
): EventEnvelope<Event> {
  return wrapEvent(topic, topic.schema.parse(data), options);
}

/** {@link toEnvelope} of an event that is known to match the topic's schema, where the look at it costs too much. */
export function wrapEvent<Event extends { event: string }>(
  topic: Topic<Event>,
  event: Event,
  { source, id = randomUUID(), time = new Date() }: EnvelopeOptions,
): EventEnvelope<Event> {
  const traceparent = currentTraceparent();
  return {
    id,
    topic: topic.name,
    type: event.event,
    source,
    key: topic.key(event),
    partitionKey: topic.partitionKey(event),
    time: time.toISOString(),
    ...(traceparent !== undefined && { traceparent }),
    data: event,
  };
}
