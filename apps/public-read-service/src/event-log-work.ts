import { setTimeout as sleep } from 'node:timers/promises';
import { startOutboxRelay, type EventLog, type TopicHandler, type TopicLag } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic, servedTopic } from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';

/** The consumer group of this service: all replicas share the partitions and the database. */
export const CONSUMER_GROUP = 'public-read-service';

const CONSUMED_TOPICS = [lifecycleTopic, projectsTopic];
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const START_GRACE_MS = 10_000;

export interface EventLogWorkOptions {
  readonly open: () => Promise<EventLog>;
  /** The database that has this service's outbox. */
  readonly databaseUrl: string;
  readonly handlers: readonly TopicHandler[];
  readonly logger: Logger;
  /** How long a service may wait for its log at the start before it counts as ready without; default 10 s. */
  readonly startGraceMs?: number;
}

/** What this service does with the event log: topics, outbox relay, consumers. */
export interface EventLogWork {
  /**
   * For readiness. Rejects while the first connection is being made, for `startGraceMs` at most, and never again: a log
   * that is away takes every replica's log away, and must not take their public reads with it.
   */
  checkStarted(): Promise<void>;
  /** Rejects while the log cannot be reached. */
  ping(): Promise<void>;
  /** How far this service is behind, per topic; nothing while the log has not been reached. */
  lag(): Promise<readonly TopicLag[]>;
  /** Ends the running batches, then the relay, then the connections. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the work in the background and returns at once: public reads need no event log, so a service whose log is away
 * starts all the same and tries again, 100 ms later at first and 5 s at most. Once begun, the work survives outages.
 */
export function startEventLogWork(options: EventLogWorkOptions): EventLogWork {
  const { logger, startGraceMs = START_GRACE_MS } = options;
  const graceEnd = performance.now() + startGraceMs;
  const stopping = new AbortController();
  let connection: Connection | null = null;
  const begun = begin();

  async function begin(): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; !stopping.signal.aborted; retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)) {
      try {
        connection = await connect(options);
        logger.info('event_log.connected', { group: CONSUMER_GROUP });
        return;
      } catch (error) {
        logger.warn('event_log.unreachable', { error, retry_ms: retryMs });
      }
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    checkStarted() {
      const isStarted = connection !== null || performance.now() >= graceEnd;
      return isStarted ? Promise.resolve() : Promise.reject(new Error('The event log has not been reached yet.'));
    },
    async ping() {
      if (!connection) throw new Error('The event log has not been reached yet.');
      await connection.eventLog.ping();
    },
    lag: async () => (await connection?.eventLog.lag(CONSUMER_GROUP, CONSUMED_TOPICS)) ?? [],
    async stop() {
      stopping.abort();
      await begun;
      await connection?.resources.disposeAsync();
    },
  };
}

interface Connection {
  readonly eventLog: EventLog;
  readonly resources: AsyncDisposableStack;
}

/** Acquires everything or nothing. */
async function connect({ open, databaseUrl, handlers, logger }: EventLogWorkOptions): Promise<Connection> {
  await using resources = new AsyncDisposableStack();
  const eventLog = await open();
  resources.defer(() => eventLog.close());
  await eventLog.ensureTopics([...CONSUMED_TOPICS, servedTopic]);
  const relay = await startOutboxRelay({ databaseUrl, eventLog, logger });
  resources.defer(() => relay.stop());
  const subscription = await eventLog.subscribe({ group: CONSUMER_GROUP, handlers, logger });
  resources.defer(() => subscription.stop());
  return { eventLog, resources: resources.move() };
}
