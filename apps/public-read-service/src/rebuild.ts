import { parseArgs } from 'node:util';
import { openEventLog } from '@blog-content/event-log';
import { findPoolerProblems, sessionUrlOf } from '@blog-content/postgres';
import {
  commandEnvironment,
  ConfigError,
  createLogger,
  eventLogConfigFrom,
  EXIT_CONFIG,
  loadConfig,
} from '@blog-content/service-runtime';
import { z } from 'zod';
import { rebuildReadModel } from './rebuild/rebuild-read-model.ts';

const USAGE = `Usage: npm run rebuild-read-model [-- --help]

Rebuilds the read model of the public API from the event log while the service runs. Reads blog.projects and
blog.lifecycle from the beginning into new tables, then swaps them in atomically. Readers always see all published
posts. Public keys and usage counts are kept. If the rebuild fails or is stopped, nothing changes.

Uses the environment of public-read-service:
  DATABASE_URL             PostgreSQL database of public-read-service, migrated
  DATABASE_SESSION_URL     direct connection to it, if DATABASE_URL uses a pooler in transaction mode
  KAFKA_BROKERS            Kafka brokers of the event log, as comma-separated host:port pairs
  KAFKA_SSL…, KAFKA_SASL…  connection settings for Kafka
  EVENT_LOG_DATABASE_URL   PostgreSQL database of the event log; set this or KAFKA_BROKERS
  LOG_LEVEL                debug, info, warn or error; defaults to info

After a disaster, run npm run check-consistency next: the log may have posts that content-service lost.

Writes progress to standard output every two seconds as JSON lines, and a summary to standard error.
Exit codes: 0 success, 1 failure or another rebuild is running, 2 usage error, 78 invalid environment.
`;

const environment = z.object(commandEnvironment);
const SERVICE = 'public-read-service';

async function run(env: Record<string, string | undefined>): Promise<void> {
  const config = loadConfig(environment, env, SERVICE);
  const logger = createLogger(SERVICE, config.LOG_LEVEL);
  const databaseUrl = sessionUrlOf(config);
  const problems = await findPoolerProblems(
    { DATABASE_URL: databaseUrl, EVENT_LOG_DATABASE_URL: config.EVENT_LOG_DATABASE_URL },
    logger,
  );
  if (problems.length > 0) throw new ConfigError(SERVICE, problems);
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => stopping.abort(new Error(`Stopped by ${signal}.`)));
  }
  const eventLog = await openEventLog(eventLogConfigFrom(config, SERVICE), logger);
  try {
    const { events, posts, durationMs, kept } = await rebuildReadModel({
      databaseUrl,
      eventLog,
      logger,
      now: () => new Date(),
      monotonicMs: () => performance.now(),
      signal: stopping.signal,
    });
    const perSecond = Math.round((posts * 1_000) / Math.max(1, durationMs));
    process.stderr.write(
      `Read model rebuilt: ${posts} posts from ${events} events in ${(durationMs / 1_000).toFixed(1)} s ` +
        `(${perSecond} posts/s).\n`,
    );
    if (kept.blogs + kept.projects > 0) {
      process.stderr.write(
        `The event log no longer has the newest event of ${kept.blogs} posts and ${kept.projects} projects. They were left unchanged.\n`,
      );
    }
    process.stderr.write('After a disaster or a restore, run `npm run check-consistency` next.\n');
  } catch (error) {
    logger.error('rebuild.failed', { error });
    process.stderr.write(`Read model not rebuilt: ${describe(error)}\n`);
    process.exitCode = 1;
  } finally {
    await eventLog.close().catch((error: unknown) => logger.debug('event_log.close_failed', { error }));
  }
}

/** A connection that is refused by several addresses has no message of its own. */
function describe(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function readsHelp(): boolean | null {
  try {
    return parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } }).values.help;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return null;
  }
}

const wantsHelp = readsHelp();
if (wantsHelp === null) {
  process.exitCode = 2;
} else if (wantsHelp) {
  process.stdout.write(USAGE);
} else {
  try {
    await run(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT_CONFIG;
  }
}
