import type { ReceiverAnswer } from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';
import type { StoredExchange } from '../delivery-log/exchange.ts';
import { type Outcome, statusOf } from '../http/outcome.ts';
import type { AttemptRecord, AttemptStore, LeasedDelivery } from './claimed-delivery.ts';
import { judge, type RetryPolicy, type Verdict } from './judge.ts';
import { NO_ANSWER, readAnswer } from './read-answer.ts';
import { untilRecorded } from './until-recorded.ts';

/** What attempts are measured by. */
export interface AttemptMetrics {
  /** An attempt ended: what follows, and why it failed (`none` when it did not). */
  attempted(verdict: Verdict['kind'], reason: string): void;
  /** A first attempt's first byte could leave so many milliseconds after its lifecycle event happened. */
  firstByte(latencyMs: number): void;
}

export interface RecordDependencies {
  readonly store: Pick<AttemptStore, 'record'>;
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
  /** What a system of a direct integration says of the post; left out where it stands in the receiver's answer. */
  readonly answer?: ReceiverAnswer;
}

const NOTHING_SENT: Sent = { exchange: null, leavesSlug: null };

/** So long an outcome is tried to be recorded while the database is away, or refuses, in milliseconds. */
const RECORDING_PATIENCE_MS = 3_600_000;

/** Judges and records an outcome, and writes the attempt's one log line. */
export async function recordOutcome(
  held: LeasedDelivery,
  outcome: Outcome,
  durationMs: number,
  { store, policy, random, now, metrics, logger, ending }: RecordDependencies,
  { exchange, leavesSlug, answer: said }: Sent = NOTHING_SENT,
): Promise<void> {
  const endedAt = now();
  const attempt = { number: held.attempt, trigger: held.trigger };
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
    // False: the lease was lost, and whoever took it over records what became of the delivery.
    recorded,
  });
}
