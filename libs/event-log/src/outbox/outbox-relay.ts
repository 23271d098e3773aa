import { backoffMs, createWakeSignal, keepRunning, pause } from '@blog-content/concurrency';
import { RECONNECT_BACKOFF } from '../backoff.ts';
import type { EventLogMetrics } from '../event-log-metrics.ts';
import type { EventLog } from '../event-log.ts';
import type { EventLogLogger } from '../logger.ts';
import { openSession, type Session } from '@blog-content/postgres';
import { SESSION_SETTINGS } from '../postgres/session-settings.ts';
import {
  deletePublished,
  markPublished,
  measureOutbox,
  readUnpublished,
  tryToLead,
  type OutboxState,
  type UnpublishedRow,
} from './outbox-queries.ts';

export type { OutboxState };

export interface OutboxRelayOptions {
  /** The database that has the `outbox` table; a direct connection: no pooler that shares it between clients. */
  readonly databaseUrl: string;
  readonly eventLog: Pick<EventLog, 'append'>;
  readonly logger: EventLogLogger;
  /** How often to look without having been notified; default 2000 ms. */
  readonly pollIntervalMs?: number;
  /** Most rows appended together; default 200. */
  readonly batchSize?: number;
  readonly metrics?: Pick<EventLogMetrics, 'relayed' | 'appendFailed'>;
}

/** A running relay. */
export interface OutboxRelay {
  /** What waits in the outbox. Rejects while its database cannot be reached. */
  measure(): Promise<OutboxState>;
  /** Ends the running batch (append and mark) and lets another relay take over. Idempotent. */
  stop(): Promise<void>;
}

/** A batch of so many events was not the last: what comes in the next moment is relayed in one go. */
const BUSY_EVENTS = 8;
const LINGER_MS = 20;

/** How often the server hears of a relay that waits for the log. */
const HEARTBEAT_MS = 2_000;

/** How often published rows are looked through for old ones. */
const CLEAN_EVERY_MS = 60_000;

/**
 * Takes the events that committed transactions have put into the outbox to the event log.
 *
 * One relay per database is active, the one whose session holds an advisory lock; the others stand by and take over
 * when that session ends, or end it themselves when the server has not heard of it for 10 s: its process is frozen
 * then, or cannot be reached. One that was frozen sees so before it appends anything (`Session.assertHeld`). The active
 * one reads the unmarked rows in the order of their positions, appends them, and marks them through the same session,
 * with the next reading: at the next event, and within the poll interval.
 * It marks rows instead of remembering a position because transactions do not commit in the order of their positions: a
 * row may appear below one that is already published. Events of one key are published in the order of their positions
 * if the producer locks what the key names before it inserts (README.md "Order").
 *
 * A batch that fails is tried again until it succeeds. An event is appended twice when the relay ends between append
 * and mark: consumers drop repeats by id.
 *
 * Connects in the background and reconnects for ever.
 */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  const { logger } = options;
  const stopping = new AbortController();
  /** Ids of events that are in the log and may not be marked. */
  const appended = new Set<string>();
  let session: Session | undefined;

  const ended = keepRunning(
    (progressed) => runOnce(options, stopping.signal, appended, { opened: (opened) => (session = opened), progressed }),
    (failure) => logger.warn('relay.lost', failure),
    { backoff: RECONNECT_BACKOFF, stopping: stopping.signal },
  );
  return {
    measure() {
      return session === undefined
        ? Promise.reject(new Error('The outbox has not been reached yet.'))
        : measureOutbox(session);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Runs one session until it is lost (rejects) or the relay is stopped (resolves). */
async function runOnce(
  options: OutboxRelayOptions,
  stopping: AbortSignal,
  appended: Set<string>,
  on: { opened(session: Session): void; progressed(): void },
): Promise<void> {
  const { databaseUrl, logger, pollIntervalMs = 2_000 } = options;
  const signal = createWakeSignal();
  const { wake } = signal;
  const session = await openSession({
    databaseUrl,
    name: 'outbox-relay',
    channels: ['outbox'],
    settings: SESSION_SETTINGS,
    onNotification: wake,
  });
  on.opened(session);
  session.lost.addEventListener('abort', wake);
  stopping.addEventListener('abort', wake);
  try {
    let active = false;
    let cleanedAt = -Infinity;
    const marks: UnpublishedRow[] = [];
    while (!stopping.aborted) {
      session.lost.throwIfAborted();
      if (!active) {
        active = await tryToLead(session);
        if (active) logger.info('relay.active');
      }
      if (active) {
        await relayAll(session, options, stopping, appended, marks);
        if (performance.now() - cleanedAt >= CLEAN_EVERY_MS) {
          cleanedAt = performance.now();
          await deletePublished(session, stopping);
        }
      }
      on.progressed();
      if (!stopping.aborted) await signal.sleep(pollIntervalMs);
    }
    if (marks.length > 0) await markPublished(session, marks, 0);
  } finally {
    stopping.removeEventListener('abort', wake);
    await session.close();
  }
}

/**
 * Relays batch after batch until nothing is left, or the relay is stopped. `marks`: rows that are appended and not yet
 * marked; they are marked with the next reading. What commits after a reading is notified of.
 */
async function relayAll(
  session: Session,
  options: OutboxRelayOptions,
  stopping: AbortSignal,
  appended: Set<string>,
  marks: UnpublishedRow[],
): Promise<void> {
  const { batchSize = 200, metrics } = options;
  for (let mayHaveMore = true; mayHaveMore && !stopping.aborted;) {
    const rows = await readNext(session, marks, batchSize, appended);
    if (rows.length === 0) return;
    // Where marks are refused, by a full disk or a server that has become read-only, it is not appended again and
    // again.
    const envelopes = rows.flatMap((row) => row.envelopes).filter(({ id }) => !appended.has(id));
    if (!(await appendUntilDone(envelopes, session, options, stopping))) return;
    for (const { id } of envelopes) appended.add(id);
    marks.push(...rows);
    metrics?.relayed(envelopes.length);
    const isBusy = envelopes.length >= BUSY_EVENTS && rows.length < batchSize;
    if (isBusy) await pause(LINGER_MS, stopping);
    mayHaveMore = isBusy || rows.length === batchSize || rows.at(-1)?.isLast !== true;
  }
}

/** Marks what is appended, and reads what comes next. */
async function readNext(
  session: Session,
  marks: UnpublishedRow[],
  batchSize: number,
  appended: Set<string>,
): Promise<readonly UnpublishedRow[]> {
  if (marks.length === 0) return readUnpublished(session, batchSize);
  const rows = await markPublished(session, marks, batchSize);
  marks.length = 0;
  appended.clear();
  return rows;
}

/**
 * Appends the same batch until it succeeds. False when the relay is stopped or has lost its session before that:
 * another relay may have gone on then, and what this one appended would come after newer events.
 */
async function appendUntilDone(
  envelopes: Parameters<EventLog['append']>[0],
  session: Session,
  { eventLog, logger, metrics }: OutboxRelayOptions,
  stopping: AbortSignal,
): Promise<boolean> {
  const heartbeat = setInterval(() => void session.query('SELECT 1').catch(() => undefined), HEARTBEAT_MS);
  const ending = AbortSignal.any([stopping, session.lost]);
  try {
    for (let failures = 1; ; failures++) {
      try {
        await eventLog.append(envelopes, { assertAllowed: () => session.assertHeld() });
        return true;
      } catch (error) {
        metrics?.appendFailed();
        const retryInMs = backoffMs(failures, RECONNECT_BACKOFF);
        logger.warn('relay.append_failed', { events: envelopes.length, failures, retryInMs, error });
        await pause(retryInMs, ending);
        if (ending.aborted) return false;
      }
    }
  } finally {
    clearInterval(heartbeat);
  }
}
