import { z } from 'zod';
import type { Topic } from '@blog-content/payload-schemas';
import type { EventEnvelope, ReceivedEvent } from './envelope.ts';

/** A message on its way into the log: CloudEvents 1.0 in Kafka's binary mode, for every adapter. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly key: string | null;
  readonly partitionKey: string;
  readonly value: Buffer | string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message as the log holds it; nothing about its content is known yet. */
export interface StoredMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: string | null;
  readonly value: Buffer | string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why a message cannot be handed to a handler. */
export type UnreadableReason = 'no-value' | 'not-json' | 'missing-attributes' | 'schema-mismatch';

export type ReadResult =
  | { readonly readable: true; readonly event: ReceivedEvent }
  | { readonly readable: false; readonly reason: UnreadableReason; readonly detail: string }
  /** Nothing is wrong with it: it is of a later release than this consumer. */
  | { readonly readable: false; readonly reason: 'unknown-type'; readonly type: string };

/** The envelope as a message. */
export function toMessage(envelope: EventEnvelope): OutgoingMessage {
  return {
    topic: envelope.topic,
    key: envelope.key,
    partitionKey: envelope.partitionKey,
    value: JSON.stringify(envelope.data),
    headers: {
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: envelope.id,
      ce_type: envelope.type,
      ce_source: envelope.source,
      ce_time: envelope.time,
      ce_partitionkey: envelope.partitionKey,
      ...(envelope.traceparent !== undefined && { traceparent: envelope.traceparent }),
    },
  };
}

const attributes = z.object({
  ce_id: z.uuid(),
  ce_type: z.string().min(1),
  ce_source: z.string().min(1),
  ce_time: z.string().min(1),
  ce_partitionkey: z.string(),
});

/** Parses and checks a message against its topic's contract. Never throws. */
export function readMessage(message: StoredMessage, { schema, types }: Pick<Topic, 'schema' | 'types'>): ReadResult {
  if (message.value === null) return unreadable('no-value', 'The message has no value.');
  let json: unknown;
  try {
    json = JSON.parse(message.value.toString());
  } catch (error) {
    return unreadable('not-json', (error as Error).message);
  }
  const headers = attributes.safeParse(message.headers);
  if (!headers.success) return unreadable('missing-attributes', z.prettifyError(headers.error));
  const type = headers.data.ce_type;
  if (!types.includes(type)) return { readable: false, reason: 'unknown-type', type };
  const data = schema.safeParse(json);
  if (!data.success) return unreadable('schema-mismatch', z.prettifyError(data.error));
  const { traceparent } = message.headers;
  return {
    readable: true,
    event: {
      id: headers.data.ce_id,
      topic: message.topic,
      type,
      source: headers.data.ce_source,
      key: message.key ?? headers.data.ce_partitionkey,
      partitionKey: headers.data.ce_partitionkey,
      time: headers.data.ce_time,
      ...(traceparent !== undefined && { traceparent }),
      data: data.data,
      partition: message.partition,
      offset: message.offset,
    },
  };
}

/** Longest explanation kept, in characters: it may quote the message. */
const MAX_DETAIL = 1_000;

function unreadable(reason: UnreadableReason, detail: string): ReadResult {
  return { readable: false, reason, detail: detail.slice(0, MAX_DETAIL) };
}
