import { z } from 'zod';

/** How long a topic keeps its messages. */
export type Retention =
  | {
      readonly compacted: true;
      /** Every message stays at least this long. */
      readonly fullHistoryMs: number;
      /** The newest message of a key goes too when it is older than this; it stays for ever where this is left out. */
      readonly keepMs?: number;
      /**
       * The field of the data that says which message of a key is the newest: the one with the highest number. Without
       * it, and in Kafka always, that is the one appended last.
       */
      readonly newestBy?: string;
    }
  | { readonly compacted: false; readonly keepMs: number };

/** A topic's public contract: its name, payload, key and partitioning. */
export interface Topic<Event extends { event: string } = { event: string }> {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType<Event>;
  /** The event types that the schema knows. A later release may add some. */
  readonly types: readonly string[];
  /** The message key: messages of one key are compacted together. */
  readonly key: (event: Event) => string;
  /** Messages of one partition key are delivered in the order they were published. */
  readonly partitionKey: (event: Event) => string;
  /**
   * Which events a consumer keeps in order when one can't be handled: those with the same value wait behind it, all
   * others continue. The key, unless given.
   */
  waitsFor?(event: Event): string;
  readonly partitions: number;
  readonly retention: Retention;
}

/** Declares a topic; the event type, and its names, follow from the schema. */
export function defineTopic<Event extends { event: string }>(topic: Omit<Topic<Event>, 'types'>): Topic<Event> {
  return Object.freeze({ ...topic, types: typesOf(topic.schema) });
}

function typesOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(typesOf);
  const name: unknown = schema instanceof z.ZodObject ? schema.shape['event'] : undefined;
  if (!(name instanceof z.ZodLiteral)) throw new Error('The event schema must name its type.');
  return [...name.values].map(String);
}

/** Name of the topic that keeps what no consumer of `topicName` could read. */
export function deadLetterTopicName(topicName: string): string {
  return `${topicName}.dlq`;
}
