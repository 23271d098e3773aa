import { keepRunning, pause } from '@blog-content/concurrency';
import { RECONNECT_BACKOFF } from './backoff.ts';
import type { EventLogMetrics } from './event-log-metrics.ts';
import type { EventLog, Parking, TopicDeclaration, TopicHandler, TopicLag } from './event-log.ts';
import type { EventLogLogger } from './logger.ts';
import { AppendFailed } from './parking/is-outage.ts';
import { createParking } from './parking/parking.ts';
import { startOutboxRelay, type OutboxState } from './outbox/outbox-relay.ts';
import { trackReachability } from './track-reachability.ts';

const START_GRACE_MS = 10_000;
const UNREACHABLE_AFTER_MS = 30_000;
/** How often a log that was reached is asked whether it still is. */
const PING_EVERY_MS = 5_000;

export interface EventLogConnectionOptions {
  readonly open: () => Promise<EventLog>;
  /** The database with the service's outbox. A service without one consumes, and appends what its handlers append. */
  readonly outboxDatabaseUrl?: string;
  /** The database with the service's parked events; without one, an event that can't be handled holds its partition. */
  readonly parkingDatabaseUrl?: string;
  /** The service's consumer group: its replicas share the partitions. */
  readonly group: string;
  /**
   * What is done with the events of each topic; a function when that takes the log itself. It is called at every
   * attempt to connect, and makes nothing that must be made once.
   */
  readonly handlers: readonly TopicHandler[] | ((log: Pick<EventLog, 'append'>) => readonly TopicHandler[]);
  /** Topics that the service produces to. */
  readonly produces: readonly TopicDeclaration[];
  readonly logger: EventLogLogger;
  readonly metrics?: EventLogMetrics;
  /** How long a service may wait for its log at the start before it counts as ready without; default 10 s. */
  readonly startGraceMs?: number;
  /** How long the log may be out of reach before that is said as an error; default 30 s. */
  readonly unreachableAfterMs?: number;
}

/** A service's whole tie to the event log: its topics, its outbox relay, its consumer. */
export interface EventLogConnection {
  /**
   * For readiness. Rejects while the first connection is being made, for `startGraceMs` at most, and never again: a log
   * that is away takes every replica's log away, and must not take their other work with it.
   */
  checkStarted(): Promise<void>;
  /** Resolves once the log has been reached and its topics are consumed; never where that does not come to be. */
  readonly connected: Promise<void>;
  /** Whether the log was reached when it was last looked at, some seconds ago at most. */
  isUp(): boolean;
  /** When the log was last reached, once that is `unreachableAfterMs` ago. */
  unreachableSince(): Date | undefined;
  /** How far the service is behind, per topic; nothing while the log has not been reached. */
  lag(): Promise<readonly TopicLag[]>;
  /** How many keys of each topic are parked; nothing while the log has not been reached. */
  parkedKeys(): ReadonlyMap<string, number>;
  /** What waits in the outbox, for a service that has one. Rejects while its database cannot be reached. */
  readonly measureOutbox?: () => Promise<OutboxState>;
  /** Takes in no more events. Idempotent. */
  stopConsuming(): Promise<void>;
  /** Stops consuming, publishes the running batch, and lets go of the log. Idempotent. */
  close(): Promise<void>;
}

interface Connection {
  readonly eventLog: EventLog;
  readonly topics: readonly TopicDeclaration[];
  readonly parking: Parking | undefined;
  stopConsuming(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects in the background and returns immediately: a service whose event log is away still starts, does what it can
 * without, and tries again, 100 ms later at first and 5 s at most. Once made, the connection survives outages.
 */
export function connectEventLog(options: EventLogConnectionOptions): EventLogConnection {
  const { group, logger, metrics, outboxDatabaseUrl: databaseUrl } = options;
  const { startGraceMs = START_GRACE_MS, unreachableAfterMs = UNREACHABLE_AFTER_MS } = options;
  const graceEnd = performance.now() + startGraceMs;
  const pingEveryMs = Math.min(PING_EVERY_MS, unreachableAfterMs / 4);
  const closing = new AbortController();
  const reachability = trackReachability({ group, logger, afterMs: unreachableAfterMs });
  const reached = Promise.withResolvers<void>();
  let connected: Connection | undefined;

  // From the start: what waits in the outbox is seen though the log is away.
  const append: EventLog['append'] = (...given) =>
    connected === undefined ? Promise.reject(notReached()) : connected.eventLog.append(...given);
  const relay =
    databaseUrl === undefined
      ? undefined
      : startOutboxRelay({ databaseUrl, eventLog: { append }, logger, ...(metrics && { metrics }) });
  const running = keepRunning(
    async (progressed) => {
      if (connected === undefined) {
        connected = await connect(options);
        reached.resolve();
        logger.info('event_log.connected', { group });
      } else {
        await connected.eventLog.ping();
      }
      progressed();
      reachability.reached();
      await pause(pingEveryMs, closing.signal);
    },
    ({ error, failures, retryInMs }) => {
      reachability.failed(error);
      logger.warn('event_log.not_reached', { group, failures, retry_ms: retryInMs, error });
    },
    { backoff: RECONNECT_BACKOFF, stopping: closing.signal },
  );

  const stopConsuming = async () => {
    closing.abort();
    reachability.stop();
    await running;
    await connected?.stopConsuming();
  };
  return {
    checkStarted() {
      const isStarted = connected !== undefined || performance.now() >= graceEnd;
      return isStarted ? Promise.resolve() : Promise.reject(notReached());
    },
    connected: reached.promise,
    isUp: () => reachability.isUp(),
    unreachableSince: () => reachability.unreachableSince(),
    async lag() {
      return (await connected?.eventLog.lag(group, connected.topics)) ?? [];
    },
    parkedKeys: () => connected?.parking?.countKeys() ?? new Map(),
    ...(relay && { measureOutbox: () => relay.measure() }),
    stopConsuming,
    async close() {
      await stopConsuming();
      await relay?.stop();
      await connected?.close();
    },
  };
}

function notReached(): Error {
  return new Error('The event log has not been reached yet.');
}

/** Acquires everything or nothing. */
async function connect(options: EventLogConnectionOptions): Promise<Connection> {
  const { group, produces, logger, metrics, parkingDatabaseUrl } = options;
  await using resources = new AsyncDisposableStack();
  const eventLog = await options.open();
  resources.defer(() => eventLog.close());
  const append: EventLog['append'] = (...given) =>
    eventLog.append(...given).catch((error: unknown) => {
      throw new AppendFailed(error);
    });
  const handlers = typeof options.handlers === 'function' ? options.handlers({ append }) : options.handlers;
  const topics = handlers.map(({ topic }) => topic);
  await eventLog.ensureTopics([...produces, ...topics]);
  const counted = { logger, ...(metrics && { metrics }) };
  const parking = parkingDatabaseUrl
    ? createParking({ databaseUrl: parkingDatabaseUrl, group, handlers, ...counted })
    : undefined;
  resources.defer(() => parking?.stop());
  const subscription = await eventLog.subscribe({ group, handlers, ...counted, ...(parking && { parking }) });
  resources.defer(() => subscription.stop());
  // Counted from 0: Prometheus sees no rise in a counter that begins with its first letter.
  for (const { name } of topics) metrics?.deadLettered(name, 0);
  const kept = resources.move();
  const stopConsuming = async () => {
    await subscription.stop();
    await parking?.stop();
  };
  return { eventLog, topics, parking, stopConsuming, close: () => kept.disposeAsync() };
}
