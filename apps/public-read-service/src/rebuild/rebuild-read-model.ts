import { setTimeout as sleep } from 'node:timers/promises';
import { openPool, type OpenPoolConfig } from '@blog-content/postgres';
import type { EventLog, EventLogLogger, TopicReader } from '@blog-content/event-log';
import { Client, type Pool } from 'pg';
import { fillNextGeneration } from './fill-next-generation.ts';
import { createNextGeneration, dropNextGeneration, lockRebuild } from './next-generation-store.ts';
import { switchOver, type KeptRows } from './switch-over-store.ts';

/** How many partitions of the log are read into the tables at the same time. */
const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 10_000;
/** Indexes of a million posts are made in one statement. */
const STATEMENT_TIMEOUT_MS = 600_000;
const BATCH_SIZE = 300;
const PROGRESS_EVERY_MS = 2_000;
/** Most events that may be left to read when writers start to wait. */
const MAX_REST = 500;
const MAX_CATCH_UPS = 20;
const SWITCH_PAUSE_MS = 2_000;
const SWITCH_TIMEOUT_MS = 600_000;

export interface RebuildOptions {
  /** The service's database. Direct, or through a pooler in session mode: the rebuild holds advisory locks. */
  readonly databaseUrl: string;
  readonly eventLog: EventLog;
  readonly logger: EventLogLogger;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  /** Ends the rebuild: it rejects with the signal's reason, and nothing has changed. */
  readonly signal?: AbortSignal;
  /** How long to try for, when somebody holds the tables at the end, in milliseconds; default 10 minutes. */
  readonly switchTimeoutMs?: number;
}

/** What a rebuild has done. */
export interface RebuildResult {
  /** Messages read from the topics. */
  readonly events: number;
  /** Posts put into the new tables, each as often as the topics have a newer version of it. */
  readonly posts: number;
  readonly durationMs: number;
  /** Rows that were copied: the present tables knew better than the log. */
  readonly kept: KeptRows;
}

/** The read model is being rebuilt by somebody else already. */
class RebuildRunningError extends Error {
  override readonly name = 'RebuildRunningError';

  constructor() {
    super('Another rebuild of this read model is running. Nothing was changed.');
  }
}

/**
 * Rebuilds the read model from the event log while the service keeps running: reads `blog.projects` and
 * `blog.lifecycle` from their beginning into tables of a next generation, and puts those in the place of the present
 * ones in one transaction (ADR 15). Readers never see less than what is published. Until then nothing of the service
 * changes, however the rebuild ends.
 *
 * @throws RebuildRunningError, or an error of the database or the log
 */
export async function rebuildReadModel(options: RebuildOptions): Promise<RebuildResult> {
  const { databaseUrl, eventLog, logger, now, monotonicMs, signal, switchTimeoutMs = SWITCH_TIMEOUT_MS } = options;
  const startedAtMs = monotonicMs();
  const counts = { events: 0, posts: 0 };
  let lost: unknown;
  const check = (): void => {
    signal?.throwIfAborted();
    if (lost !== undefined) throw lost as Error;
  };
  await using resources = new AsyncDisposableStack();

  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'public-read-service rebuild',
  });
  // Without this connection the lock is lost, and another rebuild may work on the same tables.
  client.on('error', (error) => (lost ??= error));
  await client.connect();
  resources.defer(() => client.end().catch(() => undefined));
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  if (!(await lockRebuild(client))) throw new RebuildRunningError();

  await dropNextGeneration(client);
  const next = await createNextGeneration(client);
  resources.defer(() => dropNextGeneration(client).catch(() => undefined));
  const pool = openFillPool(databaseUrl, (error) => logger.warn('database.connection_lost', { error }));
  resources.defer(() => pool.end());

  const progress = setInterval(() => {
    logger.info('rebuild.progress', { ...counts, ...ratesOf(counts.posts, monotonicMs() - startedAtMs) });
  }, PROGRESS_EVERY_MS);
  resources.defer(() => clearInterval(progress));
  logger.info('rebuild.started');
  const onFilled = (events: number, posts: number): void => {
    counts.events += events;
    counts.posts += posts;
  };
  const handlers = fillNextGeneration({ pool, logger, now, onFilled, check });
  const reader = await eventLog.readFromBeginning({ handlers, logger, batchSize: BATCH_SIZE });
  resources.defer(() => reader.close());

  let events = await reader.catchUp();
  check();
  logger.info('rebuild.filled', { ...counts, ...ratesOf(counts.posts, monotonicMs() - startedAtMs) });
  await next.finish(pool);
  const switchByMs = monotonicMs() + switchTimeoutMs;
  for (;;) {
    check();
    events += await readRest(reader);
    const kept = await switchOver(client, next, async () => (events += await reader.catchUp()));
    if (kept !== null) {
      if (kept.blogs + kept.projects > 0) logger.warn('rebuild.kept', { ...kept });
      const durationMs = Math.round(monotonicMs() - startedAtMs);
      logger.info('rebuild.done', { events, posts: counts.posts, ...ratesOf(counts.posts, durationMs) });
      return { events, posts: counts.posts, durationMs, kept };
    }
    if (monotonicMs() > switchByMs) {
      throw new Error(
        'Another session (a dump or an open transaction) has locked the tables of the read model. Nothing was changed.',
      );
    }
    logger.warn('rebuild.tables_in_use', { retry_in_ms: SWITCH_PAUSE_MS });
    await sleep(SWITCH_PAUSE_MS, undefined, signal && { signal });
  }
}

/** Reads until little is left. Resolves to how many messages were read. */
async function readRest(reader: TopicReader): Promise<number> {
  let events = 0;
  for (let time = 0; time < MAX_CATCH_UPS; time++) {
    const passed = await reader.catchUp();
    events += passed;
    if (passed <= MAX_REST) break;
  }
  return events;
}

function openFillPool(databaseUrl: string, onLost: (error: Error) => void): Pool {
  const config: OpenPoolConfig = {
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'public-read-service rebuild',
    // What a dead rebuild leaves is dropped: nothing has to be on disk before the switch.
    verify: (client, done) => {
      client.query('SET synchronous_commit = off').then(
        () => done(),
        (error: unknown) => done(error as Error),
      );
    },
  };
  return openPool(config, onLost);
}

function ratesOf(posts: number, durationMs: number): { duration_ms: number; posts_per_second: number } {
  const wholeMs = Math.round(durationMs);
  return { duration_ms: wholeMs, posts_per_second: Math.round((posts * 1000) / Math.max(1, wholeMs)) };
}
