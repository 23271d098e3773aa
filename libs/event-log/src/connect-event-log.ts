import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, TopicDeclaration, TopicHandler } from './event-log.ts';
import type { EventLogLogger } from './logger.ts';
import { openEventLog, type EventLogConfig } from './open-event-log.ts';
import { startOutboxRelay, type OutboxRelayMetrics } from './outbox/outbox-relay.ts';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 30_000;

export interface EventLogConnectionOptions {
  readonly eventLog: EventLogConfig;
  /** The database with the service's outbox. */
  readonly outboxDatabaseUrl: string;
  /** The service's consumer group: its replicas share the partitions. */
  readonly group: string;
  /** Topics that the service produces to or reads. */
  readonly topics: readonly TopicDeclaration[];
  readonly handlers: readonly TopicHandler[];
  readonly logger: EventLogLogger;
  readonly relayMetrics?: OutboxRelayMetrics;
}

/** A service's whole tie to the event log: its topics, its outbox relay, its consumer. */
export interface EventLogConnection {
  /** Rejects while nothing is consumed or published; for readiness. */
  ping(): Promise<void>;
  /** Takes in no more events. Idempotent. */
  stopConsuming(): Promise<void>;
  /** Stops consuming, publishes the running batch, and lets go of the log. Idempotent. */
  close(): Promise<void>;
}

interface Connected {
  readonly eventLog: EventLog;
  stopConsuming(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects in the background and returns at once: a service whose event log is away starts all the same, does what it can
 * without, and tries again, 100 ms later at first and 30 s at most. Once made, the connection survives outages.
 */
export function connectEventLog(options: EventLogConnectionOptions): EventLogConnection {
  const closing = new AbortController();
  let connected: Connected | undefined;

  const run = async () => {
    for (let retryMs = FIRST_RETRY_MS; !closing.signal.aborted; retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)) {
      try {
        connected = await connect(options);
        options.logger.info('event_log.connected', { group: options.group });
        return;
      } catch (error) {
        options.logger.warn('event_log.unreachable', { error, retry_ms: retryMs });
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
    async ping() {
      if (connected === undefined) throw new Error('The event log has not been reached yet.');
      await connected.eventLog.ping();
    },
    stopConsuming,
    async close() {
      await stopConsuming();
      await connected?.close();
    },
  };
}

/** Acquires everything or nothing. */
async function connect(options: EventLogConnectionOptions): Promise<Connected> {
  const { group, topics, handlers, logger, outboxDatabaseUrl: databaseUrl, relayMetrics: metrics } = options;
  await using resources = new AsyncDisposableStack();
  const eventLog = await openEventLog(options.eventLog, logger);
  resources.defer(() => eventLog.close());
  await eventLog.ensureTopics(topics);
  const relay = await startOutboxRelay({ databaseUrl, eventLog, logger, ...(metrics && { metrics }) });
  resources.defer(() => relay.stop());
  const subscription = await eventLog.subscribe({ group, handlers, logger });
  resources.defer(() => subscription.stop());
  const kept = resources.move();
  return { eventLog, stopConsuming: () => subscription.stop(), close: () => kept.disposeAsync() };
}
