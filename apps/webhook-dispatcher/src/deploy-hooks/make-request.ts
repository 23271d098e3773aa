import type { Logger } from '@blog-content/service-runtime';
import type { RetryPolicy, Verdict } from '../http/judge.ts';
import { untilRecorded } from '../attempt/record-outcome.ts';
import { maskSecrets } from '../delivery-log/exchange.ts';
import type { Outcome, OutgoingRequest } from '../http/exchange.ts';
import { buildHookRequest, type OpenHook } from './settings/build-request.ts';
import type { HookSecrets } from './settings/hook-secrets.ts';
import { judgeHook, type RequestKind } from './judge-hook.ts';
import type { AttemptTimings, ClaimedRequest, LeasedRequest, RequestStore } from './request-store.ts';

/** What requests to deploy hooks are measured by. */
export interface HookMetrics {
  /** An attempt ended: what follows, and why it failed (`none` when it did not). */
  attempted(kind: RequestKind, verdict: Verdict['kind'], reason: string): void;
}

export interface RecordHookDependencies {
  readonly store: Pick<RequestStore, 'record'>;
  /** What waits for the site to rebuild is told before the success is recorded, so that no crash comes between. */
  readonly siteRebuilds: (projectId: string, requestId: string) => Promise<void>;
  readonly policy: RetryPolicy;
  readonly metrics: HookMetrics;
  readonly logger: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly now: () => Date;
}

export interface MakeRequestDependencies extends RecordHookDependencies {
  readonly secrets: HookSecrets;
  readonly userAgent: string;
  readonly send: (request: OutgoingRequest, interrupted: AbortSignal) => Promise<Outcome>;
}

/** The outcome of an attempt. */
export interface MadeRequest {
  readonly outcome: Outcome;
  readonly verdict: Verdict;
  readonly timings: AttemptTimings | null;
}

/** With what takes the request's secrets out of a text. */
export interface MaskedRequest extends MadeRequest {
  readonly mask: (text: string) => string;
}

/**
 * Makes one attempt: open, build, send, judge, record. The claim has already written the attempt down. Throws only when
 * the outcome could not be recorded; the lease then runs out and the attempt counts as interrupted.
 */
export async function makeRequest(
  claimed: ClaimedRequest,
  interrupted: AbortSignal,
  dependencies: MakeRequestDependencies,
): Promise<MaskedRequest> {
  const opened = openHook(claimed, dependencies);
  if ('kind' in opened) {
    return { ...(await recordHookOutcome(claimed, opened, dependencies, interrupted)), mask: (text) => text };
  }
  const request = buildHookRequest(opened, dependencies.userAgent);
  const outcome = await dependencies.send(request, interrupted);
  const made = await recordHookOutcome(claimed, outcome, dependencies, interrupted);
  return { ...made, mask: maskSecrets({ request, secret: null, customHeaders: opened.headers }) };
}

/** Judges and records an outcome, and writes the attempt's one log line: nothing of the URL is in it. */
export async function recordHookOutcome(
  held: LeasedRequest,
  outcome: Outcome,
  { store, siteRebuilds, policy, random, now, metrics, logger }: RecordHookDependencies,
  interrupted: AbortSignal,
): Promise<MadeRequest> {
  const endedAt = now();
  const verdict = judgeHook(outcome, { kind: held.kind, number: held.attempt }, policy, { random, now: endedAt });
  const timings = timingsOf(outcome);
  const statusCode = outcome.kind === 'answered' ? outcome.statusCode : null;
  const status = await untilRecorded(
    async () => {
      if (verdict.kind === 'succeeded' && held.kind === 'changes') await siteRebuilds(held.projectId, held.id);
      return store.record(held, { verdict, endedAt, statusCode, timings });
    },
    { ending: interrupted },
    (failure) => logger.warn('deploy_hook.not_recorded_yet', { request_id: held.id, ...failure }),
  );
  const reason = verdict.kind === 'succeeded' ? 'none' : verdict.reason;
  metrics.attempted(held.kind, verdict.kind, reason);
  logger.info('deploy_hook.attempted', {
    request_id: held.id,
    project_id: held.projectId,
    kind: held.kind,
    changes: held.changes,
    attempt: held.attempt,
    outcome: verdict.kind,
    ...(verdict.kind !== 'succeeded' && { reason }),
    ...(verdict.kind === 'retry' && { retry_after_ms: verdict.afterMs }),
    status_code: statusCode,
    ...(outcome.kind === 'network' && { stage: outcome.stage, code: outcome.code }),
    ...(timings && { connected_ms: timings.connectedMs, answer_ms: timings.answerMs, duration_ms: timings.totalMs }),
    // Null: the lease was lost, and the process that took it over records the outcome.
    status,
  });
  return { outcome, verdict, timings };
}

function openHook(claimed: ClaimedRequest, { secrets, logger }: MakeRequestDependencies): OpenHook | Outcome {
  try {
    return { method: claimed.method, ...secrets.open(claimed.projectId, claimed) };
  } catch (error) {
    logger.error('deploy_hook.unsendable', { request_id: claimed.id, project_id: claimed.projectId, error });
    return { kind: 'unsendable', detail: 'Internal error: the request could not be built. See the service log.' };
  }
}

function timingsOf(outcome: Outcome): AttemptTimings | null {
  if (!('timings' in outcome)) return null;
  const { firstByteMs, answerMs, totalMs } = outcome.timings;
  const round = (ms: number | null) => (ms === null ? null : Math.round(ms));
  return { connectedMs: round(firstByteMs), answerMs: round(answerMs), totalMs: Math.round(totalMs) };
}
