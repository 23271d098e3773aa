import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, TopicDeclaration, TopicHandler, TopicLag } from './event-log.ts';
import type { EventLogLogger } from './logger.ts';
import { startOutboxRelay } from './outbox/outbox-relay.ts';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const START_GRACE_MS = 10_000;

export interface EventLogConnectionOptions {
  readonly open: () => Promise<EventLog>;
  /** The database with the service's outbox. */
  readonly outboxDatabaseUrl: string;
  /** The service's consumer group: its replicas share the partitions. */
  readonly group: string;
  /** What is done with the events of each topic; a function when that takes the log itself. */
  readonly handlers: readonly TopicHandler[] | ((log: Pick<EventLog, 'append'>) => readonly TopicHandler[]);
  /** Topics that the service produces to. */
  readonly produces: readonly TopicDeclaration[];
  readonly logger: EventLogLogger;
  /** How long a service may wait for its log at the start before it counts as ready without; default 10 s. */
  readonly startGraceMs?: number;
}

/** A service's whole tie to the event log: its topics, its outbox relay, its consumer. */
export interface EventLogConnection {
  /**
   * For readiness. Rejects while the first connection is being made, for `startGraceMs` at most, and never again: a log
   * that is away takes every replica's log away, and must not take their other work with it.
   */
  checkStarted(): Promise<void>;
  /** Rejects while the log cannot be reached. */
  ping(): Promise<void>;
  /** How far the service is behind, per topic; nothing while the log has not been reached. */
  lag(): Promise<readonly TopicLag[]>;
  /** Takes in no more events. Idempotent. */
  stopConsuming(): Promise<void>;
  /** Stops consuming, publishes the running batch, and lets go of the log. Idempotent. */
  close(): Promise<void>;
}

interface Connected {
  readonly eventLog: EventLog;
  readonly topics: readonly TopicDeclaration[];
  stopConsuming(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects in the background and returns at once: a service whose event log is away starts all the same, does what it can
 * without, and tries again, 100 ms later at first and 5 s at most. Once made, the connection survives outages.
 */
export function connectEventLog(options: EventLogConnectionOptions): EventLogConnection {
  const { group, logger, startGraceMs = START_GRACE_MS } = options;
  const graceEnd = performance.now() + startGraceMs;
  const closing = new AbortController();
  let connected: Connected | undefined;

  const run = async () => {
    for (let retryMs = FIRST_RETRY_MS; !closing.signal.aborted; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      try {
        connected = await connect(options);
        logger.info('event_log.connected', { group });
        return;
      } catch (error) {
        logger.warn('event_log.unreachable', { error, retry_ms: retryMs });
        await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };
  const running = run();

  const stopConsuming = async () => {
    closing.abort();
    await running;
    await connected?.stopConsuming();
  };
  return {
    checkStarted() {
      const isStarted = connected !== undefined || performance.now() >= graceEnd;
      return isStarted ? Promise.resolve() : Promise.reject(notReached());
    },
    async ping() {
      if (connected === undefined) throw notReached();
      await connected.eventLog.ping();
    },
    async lag() {
      return (await connected?.eventLog.lag(group, connected.topics)) ?? [];
    },
    stopConsuming,
    async close() {
      await stopConsuming();
      await connected?.close();
    },
  };
}

function notReached(): Error {
  return new Error('The event log has not been reached yet.');
}

/** Acquires everything or nothing. */
async function connect(options: EventLogConnectionOptions): Promise<Connected> {
  const { group, produces, logger, outboxDatabaseUrl: databaseUrl } = options;
  await using resources = new AsyncDisposableStack();
  const eventLog = await options.open();
  resources.defer(() => eventLog.close());
  const handlers = typeof options.handlers === 'function' ? options.handlers(eventLog) : options.handlers;
  const topics = handlers.map(({ topic }) => topic);
  await eventLog.ensureTopics([...produces, ...topics]);
  const relay = await startOutboxRelay({ databaseUrl, eventLog, logger });
  resources.defer(() => relay.stop());
  const subscription = await eventLog.subscribe({ group, handlers, logger });
  resources.defer(() => subscription.stop());
  const kept = resources.move();
  return { eventLog, topics, stopConsuming: () => subscription.stop(), close: () => kept.disposeAsync() };
}
