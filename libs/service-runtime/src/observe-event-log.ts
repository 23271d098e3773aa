import type { Metrics } from './metrics.ts';

interface OutboxBacklog {
  readonly rows: number;
  readonly oldestAgeS: number;
}

/** What is seen of a service's connection to the event log. */
export interface ObservedEventLog {
  isUp(): boolean;
  unreachableSince(): Date | undefined;
  lag(): Promise<readonly { readonly topic: string; readonly messages: number }[]>;
  /** How many keys of each topic are parked. */
  parkedKeys(): ReadonlyMap<string, number>;
  /** What waits in the outbox; a service without one has neither this nor its metrics. */
  readonly measureOutbox?: () => Promise<OutboxBacklog>;
}

/** Counts what a connection to the event log does, as `@blog-content/event-log` reports it. */
export interface EventLogCounters {
  relayed(events: number): void;
  appendFailed(): void;
  batchFailed(topic: string): void;
  parked(topic: string): void;
  deadLettered(topic: string, messages: number): void;
  passedOver(topic: string, type: string): void;
}

/** So many types are counted by their names: no label has as many values as somebody else likes. */
const MAX_TYPES = 50;

/** Makes the counters, before the connection: they are made once, however often it is. */
export function createEventLogCounters(metrics: Pick<Metrics, 'counter'>): EventLogCounters {
  const relayed = metrics.counter('outbox_events_relayed_total', 'Events moved from the outbox to the event log.');
  const failed = metrics.counter('outbox_append_failures_total', 'Outbox batches that could not be appended.');
  const batches = metrics.counter('event_log_failed_batches_total', 'Batches whose handler failed.', ['topic']);
  const parked = metrics.counter('event_log_parked_events_total', 'Events parked because they failed.', ['topic']);
  const letters = metrics.counter('event_log_dead_letters_total', 'Messages set aside as unreadable.', ['topic']);
  const unknown = metrics.counter('event_log_unknown_events_total', 'Events of an unknown type.', ['topic', 'type']);
  const types = new Set<string>();
  return {
    relayed: (events) => relayed.inc(events),
    appendFailed: () => failed.inc(),
    batchFailed: (topic) => batches.inc({ topic }),
    parked: (topic) => parked.inc({ topic }),
    deadLettered: (topic, messages) => letters.inc({ topic }, messages),
    passedOver(topic, type) {
      if (types.size < MAX_TYPES) types.add(type);
      unknown.inc({ topic, type: types.has(type) ? type : 'other' });
    },
  };
}

/**
 * Measures, whenever metrics are read, whether the event log can be reached, how far the service is behind, and what
 * waits in its outbox.
 */
export function observeEventLog(eventLog: ObservedEventLog, metrics: Pick<Metrics, 'gauge' | 'reading'>): void {
  metrics.gauge('event_log_up', '1 while the event log is reachable, otherwise 0.', [], (gauge) =>
    gauge.set(eventLog.isUp() ? 1 : 0),
  );
  metrics.gauge('event_log_parked_keys', 'Posts and projects whose events are parked.', ['topic'], (gauge) => {
    for (const [topic, keys] of eventLog.parkedKeys()) gauge.set({ topic }, keys);
  });
  metrics.reading('event_log_lag', () => eventLog.lag(), {
    event_log_lag_messages: {
      help: 'Messages not applied yet.',
      label: 'topic',
      value: (lag) => new Map(lag.map(({ topic, messages }) => [topic, messages])),
    },
  });
  if (eventLog.measureOutbox === undefined) return;
  metrics.reading('outbox', eventLog.measureOutbox, {
    outbox_unpublished_rows: {
      help: 'Outbox rows waiting for the relay; 10000 means at least that many.',
      value: ({ rows }) => rows,
    },
    outbox_oldest_unpublished_seconds: {
      help: 'Age of the oldest waiting outbox row; 0 if none.',
      value: ({ oldestAgeS }) => oldestAgeS,
    },
  });
}

/** What `/readyz` says of an event log that has not been reached for long; it decides nothing there. */
export function eventLogRemarks(
  eventLog: Pick<ObservedEventLog, 'unreachableSince'>,
): Readonly<Record<string, string>> {
  const since = eventLog.unreachableSince();
  return since === undefined ? {} : { event_log: `unreachable since ${since.toISOString()}` };
}
