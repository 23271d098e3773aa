import { type ReceiverAnswer, readReceiverAnswer } from '@blog-content/payload-schemas';
import { type Logger, isStorableText } from '@blog-content/service-runtime';
import { backoffMs, pause } from '@blog-content/concurrency';
import type { StoredExchange } from '../delivery-log/exchange.ts';
import type { Outcome } from '../http/exchange.ts';
import type { LeasedDelivery } from '../queue/claim-statements.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';
import type { AttemptRecord } from '../queue/result-statements.ts';
import { judge, type RetryPolicy, statusOf, type Verdict } from '../http/judge.ts';

/** What attempts are measured by. */
export interface AttemptMetrics {
  /** An attempt ended: what follows, and why it failed (`none` when it did not). */
  attempted(verdict: Verdict['kind'], reason: string): void;
  /** A first attempt's first byte could leave so many milliseconds after its lifecycle event happened. */
  firstByte(latencyMs: number): void;
}

export interface RecordDependencies {
  readonly store: Pick<DeliveryStore, 'record'>;
  readonly policy: RetryPolicy;
  readonly metrics: AttemptMetrics;
  readonly logger: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly now: () => Date;
  /** Aborted when the process must end. */
  readonly ending: AbortSignal;
}

/** What was sent, and what it leaves behind. */
interface Sent {
  readonly exchange: StoredExchange | null;
  /** The slug that the receiver has the blog under after a success; null when it does not have it. */
  readonly leavesSlug: string | null;
  /** What a system of a direct integration says of the post; left out where it is in the receiver's answer. */
  readonly answer?: ReceiverAnswer;
}

const NOTHING_SENT: Sent = { exchange: null, leavesSlug: null };

/** So long an outcome is tried to be recorded while the database is away, or refuses, in milliseconds. */
const RECORDING_PATIENCE_MS = 3_600_000;

/** Judges and records an outcome, and writes the attempt's one log line. Returns the verdict. */
export async function recordOutcome(
  held: LeasedDelivery,
  outcome: Outcome,
  durationMs: number,
  { store, policy, random, now, metrics, logger, ending }: RecordDependencies,
  { exchange, leavesSlug, answer: said }: Sent = NOTHING_SENT,
): Promise<Verdict> {
  const endedAt = now();
  const attempt = { number: held.attempt, retries: held.retries };
  const verdict = judge(outcome, attempt, policy, { random, now: endedAt });
  const isAnswer = verdict.kind === 'succeeded' && outcome.kind === 'answered' && leavesSlug !== null;
  const answer = isAnswer ? (said ?? readAnswer(outcome.body)) : NO_ANSWER;
  const record: AttemptRecord = {
    verdict,
    event: held.event,
    endedAt,
    statusCode: statusOf(outcome),
    liveUrl: answer.url,
    externalId: answer.external_id,
    leavesSlug,
    exchange,
  };
  // Also when the lease has been lost meanwhile: the database decides whether it still counts (ADR 19).
  const recorded = await untilRecorded(
    () => store.record(held, record),
    { ending, patienceMs: RECORDING_PATIENCE_MS },
    (failure) => logger.warn('delivery.not_recorded_yet', { delivery_id: held.id, ...failure }),
  );
  metrics.attempted(verdict.kind, verdict.kind === 'succeeded' ? 'none' : verdict.reason);
  logger.info('delivery.attempted', {
    delivery_id: held.id,
    kind: held.kind,
    integration_id: held.integrationId,
    project_id: held.projectId,
    blog_id: held.blogId,
    publish_id: held.publishId,
    lifecycle_event_id: held.lifecycleEventId,
    webhook_event: held.event,
    trigger: held.trigger,
    attempt: held.attempt,
    outcome: verdict.kind,
    ...(verdict.kind !== 'succeeded' && { reason: verdict.reason }),
    ...(verdict.kind === 'retry' && { retry_after_ms: verdict.afterMs }),
    status_code: record.statusCode,
    ...(outcome.kind === 'network' && { stage: outcome.stage, code: outcome.code }),
    ...('timings' in outcome && { first_byte_ms: outcome.timings.firstByteMs, answer_ms: outcome.timings.answerMs }),
    duration_ms: Math.round(durationMs),
    has_live_url: answer.url !== null,
    // False: the lease was lost, and the process that took it over records the outcome.
    recorded,
  });
  return verdict;
}

/** An answer that says nothing of the post. */
export const NO_ANSWER: ReceiverAnswer = { url: null, external_id: null };

/** Takes a byte order mark off, which .NET and PHP may put before JSON. */
const UTF8 = new TextDecoder();

/** What a receiver's answer says of the post; an answer that is not JSON says nothing (contract §4.4). */
export function readAnswer(body: Uint8Array): ReceiverAnswer {
  let json: unknown;
  try {
    json = JSON.parse(UTF8.decode(body), integersAsWritten);
  } catch {
    return NO_ANSWER;
  }
  const { url, external_id } = readReceiverAnswer(json);
  return { url: storable(url), external_id: storable(external_id) };
}

/** Reviver: ids of 64 bits come as numbers, and a number of JavaScript would have other digits. */
function integersAsWritten(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? '';
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;
}

/** What PostgreSQL does not hold is nonsense in a URL or an id. */
function storable(text: string | null): string | null {
  return text !== null && isStorableText(text) ? text : null;
}

const BACKOFF = { firstMs: 100, maxMs: 5_000 };

export interface RecordingLimits {
  /** Aborted when the process must end. */
  readonly ending: AbortSignal;
  /** So long is tried at most, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Records an outcome, which is known here only. While the database is away, or refuses, it tries again, and calls
 * `onFailure` each time.
 */
export async function untilRecorded<Result>(
  record: () => Promise<Result>,
  { ending, patienceMs = Number.POSITIVE_INFINITY }: RecordingLimits,
  onFailure: (failure: { error: unknown; retry_in_ms: number }) => void,
): Promise<Result> {
  const untilMs = performance.now() + patienceMs;
  for (let failures = 1; ; failures += 1) {
    try {
      return await record();
    } catch (error) {
      if (ending.aborted || performance.now() > untilMs) throw error;
      const retryInMs = backoffMs(failures, BACKOFF);
      onFailure({ error, retry_in_ms: retryInMs });
      await pause(retryInMs, ending);
    }
  }
}
