import { setTimeout } from 'node:timers/promises';
import {
  type EventLog,
  type EventLogConfig,
  openEventLog,
  startOutboxRelay,
  type TopicHandler,
} from '@blog-content/event-log';
import { deliveriesTopic, lifecycleTopic, projectsTopic, servedTopic } from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';
import { CONSUMER_GROUP } from './consume.ts';

export interface EventLogConnectionOptions {
  readonly eventLog: EventLogConfig;
  /** The database with the outbox. */
  readonly databaseUrl: string;
  readonly handlers: readonly TopicHandler[];
  readonly logger: Logger;
}

/** The service's tie to the event log. It is made in the background: deliveries go on without it. */
export interface EventLogConnection {
  /** Rejects while nothing is consumed or published; for readiness. */
  ping(): Promise<void>;
  /** Takes in no more events. Idempotent. */
  stopConsuming(): Promise<void>;
  /** Stops consuming, publishes the running batch, and lets go of the log. Idempotent. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;
const TOPICS = [lifecycleTopic, projectsTopic, servedTopic, deliveriesTopic];

/** Connects to the event log, and tries again until it succeeds or is closed. */
export function connectEventLog(options: EventLogConnectionOptions): EventLogConnection {
  const closing = new AbortController();
  let connected: Connected | undefined;

  const run = async () => {
    for (let delayMs = FIRST_RETRY_MS; !closing.signal.aborted; delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)) {
      try {
        connected = await connect(options);
        options.logger.info('event_log.connected', { group: CONSUMER_GROUP });
        return;
      } catch (error) {
        options.logger.warn('event_log.unreachable', { error, retry_in_ms: delayMs });
        await setTimeout(delayMs, undefined, { signal: closing.signal }).catch(() => undefined);
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
      if (connected === undefined) throw new Error('not connected to the event log yet');
      await connected.eventLog.ping();
    },
    stopConsuming,
    async close() {
      await stopConsuming();
      await connected?.close();
    },
  };
}

interface Connected {
  readonly eventLog: EventLog;
  stopConsuming(): Promise<void>;
  close(): Promise<void>;
}

async function connect({
  eventLog: config,
  databaseUrl,
  handlers,
  logger,
}: EventLogConnectionOptions): Promise<Connected> {
  await using resources = new AsyncDisposableStack();
  const eventLog = resources.adopt(await openEventLog(config, logger), (log) => log.close());
  await eventLog.ensureTopics(TOPICS);
  resources.adopt(await startOutboxRelay({ databaseUrl, eventLog, logger }), (relay) => relay.stop());
  const subscription = resources.adopt(await eventLog.subscribe({ group: CONSUMER_GROUP, handlers, logger }), (taken) =>
    taken.stop(),
  );
  const kept = resources.move();
  return { eventLog, stopConsuming: () => subscription.stop(), close: () => kept.disposeAsync() };
}
