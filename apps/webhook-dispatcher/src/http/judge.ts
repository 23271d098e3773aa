import { describeBadAnswer, type Outcome } from './exchange.ts';

/** Why an attempt, and with it perhaps the delivery, did not succeed. Closed list; part of `blog.deliveries`. */
export type FailureReason =
  | 'status'
  | 'timeout'
  | 'network'
  | 'address_refused'
  | 'unsendable'
  | 'interrupted'
  | 'integration_deleted'
  | 'project_deleted';

/** The status that was answered; null where there was no answer. */
export const statusOf = (outcome: Outcome): number | null => ('statusCode' in outcome ? outcome.statusCode : null);

/** What follows from an attempt. `detail` is one sentence for people. */
export type Verdict =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly reason: FailureReason; readonly detail: string }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly detail: string };

/** The retry rule of the autopilot, and of receivers that opted in for manual publishes (contract §8, §3.2). */
export interface RetryPolicy {
  /** Attempts in all, the first one included. */
  readonly maxAttempts: number;
  /** `delaysMs[n - 1]` lies between the end of attempt n and the start of attempt n + 1; the last one is used on. */
  readonly delaysMs: readonly [number, ...number[]];
  /** Each delay is moved by at most this share, either way. */
  readonly jitter: number;
  /** A `Retry-After` moves the next attempt no further than this. */
  readonly maxRetryAfterMs: number;
}

/** Five attempts; about 60, 120, 240, 480, 960 s between them (contract §8). */
export const RETRY_POLICY: RetryPolicy = {
  maxAttempts: 5,
  delaysMs: [60_000, 120_000, 240_000, 480_000, 960_000],
  jitter: 0.1,
  maxRetryAfterMs: 960_000,
};

/** The only statuses that count as success (contract §4.4). */
export const SUCCESS_STATUSES: ReadonlySet<number> = new Set([200, 201, 202, 204]);

export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Whether another attempt may follow a transient failure. */
  readonly retries: boolean;
}

/**
 * Decides what follows from the outcome of an attempt (contract §3, §7.2). Total and pure: `random` is uniform in [0,
 * 1), `now` only reads a `Retry-After` that is a date.
 */
export function judge(
  outcome: Outcome,
  attempt: Attempt,
  policy: RetryPolicy,
  { random, now }: { random: () => number; now: Date },
): Verdict {
  if (outcome.kind === 'nothing_to_do') return { kind: 'succeeded' };
  if (outcome.kind === 'answered' && SUCCESS_STATUSES.has(outcome.statusCode)) return { kind: 'succeeded' };
  const failure = describe(outcome);
  if (!attempt.retries || !isTransient(outcome)) return { kind: 'failed', ...failure };
  if (attempt.number >= policy.maxAttempts) {
    return {
      kind: 'failed',
      reason: failure.reason,
      detail: `${failure.detail} All ${policy.maxAttempts} attempts are used.`,
    };
  }
  return { kind: 'retry', afterMs: retryDelay(outcome, attempt.number, policy, random, now), ...failure };
}

type Failure = Exclude<Outcome, { kind: 'nothing_to_do' }>;

/** Time-outs, DNS/TCP/TLS trouble, 5xx, and attempts that ended with the process may go better next time. */
function isTransient(outcome: Failure): boolean {
  switch (outcome.kind) {
    case 'answered':
      return outcome.statusCode >= 500 && outcome.statusCode <= 599;
    case 'declined':
      return outcome.waitMs !== null;
    case 'timeout':
    case 'network':
    case 'interrupted':
      return true;
    case 'address_refused':
    case 'unsendable':
      return false;
  }
}

function retryDelay(outcome: Failure, number: number, policy: RetryPolicy, random: () => number, now: Date): number {
  // Nothing says that the receiver needs a rest: the attempt ended on this side.
  if (outcome.kind === 'interrupted') return 0;
  const planned = policy.delaysMs[number - 1] ?? policy.delaysMs.at(-1) ?? policy.delaysMs[0];
  const delayMs = Math.round(planned * (1 + policy.jitter * (2 * random() - 1)));
  const askedMs = askedDelay(outcome, now);
  return askedMs === null ? delayMs : Math.max(delayMs, Math.min(askedMs, policy.maxRetryAfterMs));
}

/** How long the other side asks to be left alone, in milliseconds; null when it asks for nothing. */
function askedDelay(outcome: Failure, now: Date): number | null {
  if (outcome.kind === 'declined') return outcome.waitMs;
  if (outcome.kind !== 'answered' || outcome.statusCode !== 503 || outcome.retryAfter === null) return null;
  return readRetryAfter(outcome.retryAfter, now);
}

function describe(outcome: Failure): { reason: FailureReason; detail: string } {
  switch (outcome.kind) {
    case 'answered':
      return { reason: 'status', detail: describeStatus(outcome.statusCode) };
    case 'declined':
      return { reason: 'status', detail: outcome.detail };
    case 'timeout':
      return { reason: 'timeout', detail: `The endpoint did not respond within ${outcome.limitMs / 1_000} s.` };
    case 'network':
      return {
        reason: 'network',
        detail: `${describeBadAnswer(outcome.code) ?? NETWORK_TROUBLE[outcome.stage]} (${outcome.code}).`,
      };
    case 'address_refused':
      return { reason: 'address_refused', detail: `The endpoint’s address is not allowed: ${outcome.detail}` };
    case 'unsendable':
      return { reason: 'unsendable', detail: outcome.detail };
    case 'interrupted':
      return {
        reason: 'interrupted',
        detail: `${outcome.databaseWasAway === true ? 'The service lost its database' : 'The service stopped'} during the attempt. Whether the endpoint got it is unknown.`,
      };
  }
}

const NETWORK_TROUBLE = {
  dns: 'The endpoint’s host name could not be resolved',
  tcp: 'Could not connect to the endpoint',
  tls: 'TLS handshake with the endpoint failed',
  exchange: 'The connection closed before the response was complete',
} as const;

function describeStatus(status: number): string {
  if (status === 401) return 'The endpoint returned 401: it rejected the signature or the credentials.';
  if (status >= 300 && status <= 399) return `The endpoint returned ${status}. Redirects are not followed.`;
  if (status >= 400) return `The endpoint returned ${status}.`;
  return `The endpoint returned ${status}. Only 200, 201, 202 and 204 count as success.`;
}

/** Milliseconds a `Retry-After` value asks for (seconds or an HTTP date); null when it says neither. */
export function readRetryAfter(value: string, now: Date): number | null {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads much that is no HTTP date (a bare "-5", say): every HTTP date begins with a day's name.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
