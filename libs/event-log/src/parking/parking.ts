import { pause } from '@blog-content/concurrency';
import type { EventLogMetrics } from '../event-log-metrics.ts';
import type { Parking, TopicHandler } from '../event-log.ts';
import type { EventLogLogger } from '../logger.ts';
import type { ReceivedEvent } from '../messages/envelope.ts';
import { readMessage, toMessage } from '../messages/message.ts';
import { isOutage } from './is-outage.ts';
import { createParkedEventStore, describe, idOf } from './parked-event-store.ts';

/** An event that has failed alone so often is parked. With the handler's backoff, that takes 3 s. */
const MAX_FAILURES = 5;
/** With so many keys of one topic parked, the fault is not in the events: nothing more is parked. */
const MAX_PARKED_KEYS = 100;
/** How often parked events are looked at whether they are due, while there are any, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

export interface ParkingOptions {
  /** The service's own database, with the table of `PARKED_EVENTS_TABLE_SQL`. */
  readonly databaseUrl: string;
  readonly group: string;
  readonly handlers: readonly TopicHandler[];
  readonly logger: EventLogLogger;
  readonly metrics?: Pick<EventLogMetrics, 'parked'>;
}

/** Parks events in the table of `PARKED_EVENTS_TABLE_SQL`, and tries them again until it is stopped (ADR 41). */
export function createParking(options: ParkingOptions): Parking {
  const { group, handlers, logger, metrics } = options;
  const store = createParkedEventStore(options.databaseUrl);
  /**
   * By topic: keys that may have events waiting, each with the number of its parking here. One too many costs a look
   * into the table; one too few would let an event pass those that wait.
   */
  const known = new Map<string, Map<string, number>>();
  /** By topic: the reading after the last assignment. */
  const readings = new Map<string, Promise<void>>();
  let parkings = 0;
  /** How often events have failed alone, by id. */
  const failuresOf = new Map<string, number>();
  const stopping = new AbortController();

  const keysKnown = (topic: string): Map<string, number> => {
    const keys = known.get(topic) ?? new Map<string, number>();
    known.set(topic, keys);
    return keys;
  };

  async function keysOf(topic: string): Promise<Map<string, number>> {
    const keys = keysKnown(topic);
    let reading = readings.get(topic);
    if (reading === undefined) {
      reading = store.keysOf(topic).then((read) => {
        for (const key of read) if (!keys.has(key)) keys.set(key, 0);
      });
      readings.set(topic, reading);
      reading.catch(() => readings.delete(topic));
    }
    await reading;
    return keys;
  }

  const namesOf = (event: ReceivedEvent, key: string) => ({
    group,
    topic: event.topic,
    partition: event.partition,
    offset: event.offset,
    key,
    event_id: event.id,
    type: event.type,
    project_id: idOf(event, 'project_id'),
    blog_id: idOf(event, 'blog_id'),
  });

  /** Lets those wait whose key is parked; gives the others. */
  async function letWait(handler: TopicHandler, events: readonly ReceivedEvent[]): Promise<readonly ReceivedEvent[]> {
    const { topic } = handler;
    const keys = await keysOf(topic.name);
    if (keys.size === 0) return events;
    const waiting = Map.groupBy(
      events.filter((event) => keys.has(keyOf(handler, event))),
      (event) => keyOf(handler, event),
    );
    for (const [key, later] of waiting) {
      const result = await store.parkBehind(topic.name, key, later);
      if (result === 'full') throw new Error(`Too many events of ${topic.name} are parked: everything waits.`);
      if (result === 'waits') logger.info('event.waits', { group, topic: topic.name, key, events: later.length });
      else {
        // Another process has handled them all.
        keys.delete(key);
        waiting.delete(key);
      }
    }
    return events.filter((event) => !waiting.has(keyOf(handler, event)));
  }

  async function failedAlone(handler: TopicHandler, event: ReceivedEvent, error: unknown): Promise<void> {
    const failures = (failuresOf.get(event.id) ?? 0) + 1;
    failuresOf.set(event.id, failures);
    const key = keyOf(handler, event);
    const names = namesOf(event, key);
    const keys = await keysOf(handler.topic.name);
    if (failures < MAX_FAILURES || keys.size >= MAX_PARKED_KEYS) {
      logger.warn('event.failed', { ...names, failures, error });
      throw error;
    }
    if (!(await store.park({ topic: event.topic, key, event }, describe(error), failures))) throw error;
    keys.set(key, (parkings += 1));
    failuresOf.delete(event.id);
    metrics?.parked(event.topic);
    logger.error('event.parked', { ...names, failures, error });
  }

  async function handle(handler: TopicHandler, events: readonly ReceivedEvent[]): Promise<void> {
    const free = await letWait(handler, events);
    if (free.length === 0) return;
    try {
      await handler.handle(free);
    } catch (error) {
      if (isOutage(error)) throw error;
      const [first] = free;
      if (free.length === 1 && first !== undefined) return failedAlone(handler, first, error);
      const middle = free.length >> 1;
      await handle(handler, free.slice(0, middle));
      await handle(handler, free.slice(middle));
      return;
    }
    if (failuresOf.size > 0) for (const { id } of free) failuresOf.delete(id);
  }

  async function retryDue(handler: TopicHandler): Promise<void> {
    const topic = handler.topic.name;
    const keys = keysKnown(topic);
    if (keys.size === 0) return;
    for (const key of await store.dueKeysOf(topic)) {
      const result = await store.retry(topic, key, (event) => handleAgain(handler, event), stopping.signal);
      if (stopping.signal.aborted) return;
      if (result === null) continue;
      const fields = { group, topic, key, handled: result.handled };
      if ('error' in result) logger.warn('event.still_parked', { ...fields, error: result.error });
      else logger.info('event.unparked', fields);
    }
    // What any process has handled, or an operator has skipped, waits no longer, unless it was parked again meanwhile.
    const before = [...keys];
    const left = await store.keysOf(topic);
    for (const [key, parking] of before) if (!left.has(key) && keys.get(key) === parking) keys.delete(key);
  }

  async function retryUntilStopped(): Promise<void> {
    for (;;) {
      await pause(LOOK_EVERY_MS, stopping.signal);
      if (stopping.signal.aborted) return store.close();
      for (const handler of handlers) {
        await retryDue(handler).catch((error: unknown) => {
          logger.warn('event.retry_failed', { group, topic: handler.topic.name, error });
        });
      }
    }
  }
  const retrying = retryUntilStopped();

  return {
    handle,
    reassigned() {
      readings.clear();
      failuresOf.clear();
    },
    countKeys: () => new Map(handlers.map(({ topic }) => [topic.name, keysKnown(topic.name).size])),
    async stop() {
      stopping.abort();
      await retrying;
    },
  };
}

/** What an event is of: its events wait for each other. */
function keyOf({ topic }: TopicHandler, event: ReceivedEvent): string {
  return topic.waitsFor?.(event.data) ?? event.key;
}

/** By the schema of this release, which may not be the one that parked it. */
async function handleAgain(handler: TopicHandler, event: ReceivedEvent): Promise<void> {
  const { topic, partition, offset } = event;
  const message = { ...toMessage(event), topic, partition, offset };
  const read = readMessage(message, handler.topic);
  if (!read.readable) throw new Error(`The event is unreadable: ${read.reason}.`);
  await handler.handle([read.event]);
}
