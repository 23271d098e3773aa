import { z } from 'zod';
import { kafkaEnvironment, kafkaSecurityFrom, type KafkaConfig, type KafkaSecurity } from './kafka-environment.ts';
import { secret } from './secret-variable.ts';
import { integerVariable, urlVariable } from './variables.ts';

const postgresUrl = secret(
  urlVariable({ protocols: ['postgres:', 'postgresql:'], example: 'postgresql://user:password@host:5432/database' }),
);

/**
 * The variables that every service has: spread into the service's own `z.object({ ...baseEnvironment, … })`. Exactly
 * one of `KAFKA_BROKERS` and `EVENT_LOG_DATABASE_URL` must be set; `loadConfig` sees to that.
 */
export const baseEnvironment = {
  HOST: z.string().min(1).default('0.0.0.0').describe('Host that both ports listen on.'),
  PORT: integerVariable({ min: 0, max: 65_535, default: 8_080 }).describe('Port of the API. 0 picks a free port.'),
  ADMIN_PORT: integerVariable({ min: 0, max: 65_535, default: 9_090 }).describe(
    'Port of `/healthz`, `/readyz` and `/metrics`. 0 picks a free port.',
  ),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Minimum log level.'),
  DATABASE_URL: postgresUrl.describe('PostgreSQL database of this service.'),
  DATABASE_SESSION_URL: postgresUrl
    .optional()
    .describe('Direct connection to the same database. Required if DATABASE_URL uses a pooler in transaction mode.'),
  ...kafkaEnvironment,
  EVENT_LOG_DATABASE_URL: postgresUrl
    .optional()
    .describe('PostgreSQL database of the event log. Set this or KAFKA_BROKERS.'),
  EVENT_LOG_UNREACHABLE_AFTER_MS: integerVariable({ min: 100, max: 3_600_000, default: 30_000 }).describe(
    'How long the event log may be unreachable before logs and `/readyz` report it, in milliseconds.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlVariable({ protocols: ['http:', 'https:'], example: 'http://collector:4318' })
    .optional()
    .describe('OTLP/HTTP collector for traces. If unset, tracing is off.'),
  SHUTDOWN_TIMEOUT_MS: integerVariable({ min: 100, max: 600_000, default: 15_000 }).describe(
    'Maximum time for a graceful shutdown, in milliseconds.',
  ),
  LAST_REQUEST_MS: integerVariable({ min: 0, max: 60_000, default: 1_000 }).describe(
    'How long idle connections stay open during shutdown, in milliseconds, so that requests in transit are not lost.',
  ),
};

const { DATABASE_URL, DATABASE_SESSION_URL, EVENT_LOG_DATABASE_URL, LOG_LEVEL } = baseEnvironment;

/** The variables of an operator's command that speaks to a service's database and the event log. */
export const commandEnvironment = {
  DATABASE_URL,
  DATABASE_SESSION_URL,
  ...kafkaEnvironment,
  EVENT_LOG_DATABASE_URL,
  LOG_LEVEL,
};

/** Where the event log is, as `@blog-content/event-log` takes it. */
export type EventLogSettings =
  | ({ readonly kind: 'kafka'; readonly brokers: readonly string[]; readonly clientId: string } & KafkaSecurity)
  | { readonly kind: 'postgres'; readonly databaseUrl: string };

/** Picks the event log from a loaded config. `clientId` is the name that Kafka knows this service by. */
export function eventLogConfigFrom(
  config: KafkaConfig & { readonly EVENT_LOG_DATABASE_URL?: string | undefined },
  clientId: string,
): EventLogSettings {
  const { KAFKA_BROKERS: brokers, EVENT_LOG_DATABASE_URL: databaseUrl } = config;
  if (brokers !== undefined) return { kind: 'kafka', brokers, clientId, ...kafkaSecurityFrom(config) };
  if (databaseUrl !== undefined) return { kind: 'postgres', databaseUrl };
  throw new Error('The config has no event log because it was not made by loadConfig.');
}
