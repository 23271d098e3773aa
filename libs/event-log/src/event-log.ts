import type { Topic } from '@blog-content/payload-schemas';
import type { EventEnvelope, ReceivedEvent } from './messages/envelope.ts';
import type { EventLogMetrics } from './event-log-metrics.ts';
import type { EventLogLogger } from './logger.ts';

/** The part of a topic's contract that the log itself needs; every `Topic<…>` is one. */
export type TopicDeclaration = Pick<Topic, 'name' | 'partitions' | 'retention'>;

/** A topic whose messages can be read and checked; every `Topic<…>` is one. */
export type ReadableTopic = TopicDeclaration & Pick<Topic, 'schema' | 'types'> & { waitsFor?(event: unknown): string };

/** What is done with the events of one topic. Make it with {@link onTopic}, which keeps the event type. */
export interface TopicHandler {
  readonly topic: ReadableTopic;
  /** Most events in one call of `handle` of a consumer. */
  readonly batchSize: number;
  /**
   * Gets 1 to `batchSize` events of one partition in order; partitions are handled concurrently, one partition never.
   * Resolves: the offsets are committed. Rejects: the same events come again after a backoff (100 ms, doubling up to
   * 30 s); nothing is skipped. Delivery is at least once. With a `parking`, an event that fails again and again waits
   * there, and the others go on.
   */
  handle(events: readonly ReceivedEvent[]): Promise<void>;
}

/**
 * Ties a handler to its topic so that the events have the topic's type. Gets up to 100 events together unless
 * `batchSize` says otherwise.
 */
export function onTopic<Event extends { event: string }>(
  topic: Topic<Event>,
  handle: (events: readonly ReceivedEvent<Event>[]) => Promise<void>,
  { batchSize = 100 }: { readonly batchSize?: number } = {},
): TopicHandler {
  return {
    topic,
    batchSize,
    // Safe: what reaches a handler was parsed with this topic's schema.
    handle: (events) => handle(events as readonly ReceivedEvent<Event>[]),
  };
}

export interface AppendOptions {
  /**
   * Called right before each write. Where it throws, nothing more is written, and the append rejects: a process that
   * may append only while it holds something asks here whether it still does.
   */
  readonly assertAllowed?: () => void;
}

/** Where the events of a consumer wait that could not be handled, so that all others go on. */
export interface Parking {
  /**
   * Handles events of one partition, in order. Those of a key that is parked wait behind it. When the handler fails, the
   * events at fault are looked for by halves: an event that fails alone again and again is parked.
   *
   * @throws what the handler throws, when the events are to come again: in an outage, or before an event is given up
   */
  handle(handler: TopicHandler, events: readonly ReceivedEvent[]): Promise<void>;
  /** A new assignment is in force: what other members have parked counts from now on. */
  reassigned(): void;
  /** How many keys of each topic are parked, as far as this process knows. */
  countKeys(): ReadonlyMap<string, number>;
  /** Tries no parked event again, and lets go of the database. Idempotent; after the subscription's. */
  stop(): Promise<void>;
}

export interface SubscribeOptions {
  /** Consumers of one group share the partitions; every group gets every event. A new group starts at the beginning. */
  readonly group: string;
  /** At most one handler per topic. Topics that are missing are created. */
  readonly handlers: readonly TopicHandler[];
  readonly logger: EventLogLogger;
  readonly metrics?: Pick<EventLogMetrics, 'batchFailed' | 'deadLettered' | 'passedOver'>;
  /** Where events wait that can't be handled. Without one, they hold up their partition. */
  readonly parking?: Parking;
}

/** A running consumer. */
export interface Subscription {
  /** Lets running handlers end, commits what they handled, and leaves the group. Idempotent. */
  stop(): Promise<void>;
}

export interface ReadOptions {
  /** At most one handler per topic. Unlike a consumer's, a handler that rejects ends the reading. */
  readonly handlers: readonly TopicHandler[];
  readonly logger: EventLogLogger;
  /** Most events in one call of any `handle`; default 1,000. */
  readonly batchSize?: number;
}

/** A reading of whole topics, outside of any group. */
export interface TopicReader {
  /**
   * Passes on the events in the topics at the time of the call that were not passed on yet, in order within a
   * partition, partitions concurrently; some newer events may follow. Handlers run only while a call does, one call at
   * a time. Resolves to how many messages were passed, unreadable ones included: those are logged and left to the
   * groups to put aside.
   *
   * @throws what a handler throws, or when the log cannot be reached or gives nothing more for 60 s though there is
   *   more.
   *   The reader is of no use then, and is to be closed.
   */
  catchUp(): Promise<number>;
  /** Lets go of the log. Idempotent. */
  close(): Promise<void>;
}

/** How far a group is in one partition. Offsets count the messages that were ever appended to it. */
export interface PartitionPosition {
  readonly topic: string;
  readonly partition: number;
  /** The offset of the first message that the group has not committed. */
  readonly committed: number;
  /** The offset that the next message appended will have. */
  readonly end: number;
}

/** How far a group is behind in one topic. */
export interface TopicLag {
  readonly topic: string;
  /** Messages appended and not yet committed by the group. */
  readonly messages: number;
}

/** A partitioned, durable, replayable log of events. */
export interface EventLog {
  /**
   * Appends events to their topics. Durable when it resolves; the array's order is kept per partition key.
   * When it rejects, some of the events may have been appended: the caller appends the same ones again, in the same
   * order, and consumers drop the repeats by id.
   */
  append(envelopes: readonly EventEnvelope[], options?: AppendOptions): Promise<void>;
  /** Starts a consumer. Resolves when it has joined; from then on it survives outages of the log by itself. */
  subscribe(options: SubscribeOptions): Promise<Subscription>;
  /**
   * Opens a reader at the beginning of the handlers' topics. It commits nothing, and disturbs no group.
   *
   * @throws when the log cannot be reached or one of the topics does not exist
   */
  readFromBeginning(options: ReadOptions): Promise<TopicReader>;
  /** Creates the topics that are missing, each with its dead-letter topic. Idempotent, safe when replicas race. */
  ensureTopics(topics: readonly TopicDeclaration[]): Promise<void>;
  /** How far a group is, per partition. A group commits up to seconds after it has handled a message. */
  positions(group: string, topics: readonly Pick<Topic, 'name'>[]): Promise<readonly PartitionPosition[]>;
  /** How far a group is behind, per topic. */
  lag(group: string, topics: readonly Pick<Topic, 'name'>[]): Promise<readonly TopicLag[]>;
  /** Rejects when the log cannot be reached. For readiness checks: answers within 3 s. */
  ping(): Promise<void>;
  /** Stops every subscription, then releases the connections. Idempotent. */
  close(): Promise<void>;
}
