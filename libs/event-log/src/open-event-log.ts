import type { EventLog } from './event-log.ts';
import type { KafkaLogConfig } from './kafka/open-kafka-log.ts';
import type { EventLogLogger } from './logger.ts';
import { openPostgresLog } from './postgres/open-postgres-log.ts';

/** Where the events live. */
export type EventLogConfig =
  | ({ readonly kind: 'kafka' } & KafkaLogConfig)
  | { readonly kind: 'postgres'; readonly databaseUrl: string };

/**
 * Opens the log without waiting for a first connection, so that a service can start while the log is away; see `ping`.
 */
export async function openEventLog(config: EventLogConfig, logger: EventLogLogger): Promise<EventLog> {
  if (config.kind === 'postgres') return openPostgresLog(config, logger);
  // Kafka's client takes memory: only who uses it loads it.
  const { openKafkaLog } = await import('./kafka/open-kafka-log.ts');
  return openKafkaLog(config, logger);
}
