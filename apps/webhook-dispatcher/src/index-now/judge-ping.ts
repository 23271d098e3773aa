import { judge, type RetryPolicy, type Verdict, readRetryAfter } from '../http/judge.ts';
import { describeNoAnswer, type Outcome } from '../http/exchange.ts';

/**
 * Decides what follows from a ping: any 2xx is success. Timeouts, broken connections, 5xx and 429 are retried like an
 * autopilot delivery; the rest is for the owner to fix. `number` counts from 1. Pure.
 */
export function judgePing(
  outcome: Outcome,
  number: number,
  policy: RetryPolicy,
  chance: { readonly random: () => number; readonly now: Date },
): Verdict {
  if (outcome.kind === 'answered' && outcome.statusCode >= 200 && outcome.statusCode <= 299) {
    return { kind: 'succeeded' };
  }
  const judged = (attempt: number) =>
    judge(asRequest(outcome, chance.now), { number: attempt, retries: true }, policy, chance);
  const verdict = judged(number);
  if (verdict.kind === 'succeeded') return verdict;
  const detail = describe(outcome);
  const isExhausted = verdict.kind === 'failed' && judged(1).kind === 'retry';
  return { ...verdict, detail: isExhausted ? `${detail} All ${policy.maxAttempts} attempts are used.` : detail };
}

/** A receiver's 4xx is final; this service's 429 only says that it takes no more right now. */
function asRequest(outcome: Outcome, now: Date): Outcome {
  if (outcome.kind !== 'answered') return outcome;
  const { statusCode, retryAfter, timings } = outcome;
  const isTransient = statusCode === 429 || statusCode >= 500;
  const askedMs = retryAfter === null ? 0 : (readRetryAfter(retryAfter, now) ?? 0);
  return { kind: 'declined', statusCode, detail: '', waitMs: isTransient ? askedMs : null, timings };
}

function describe(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'answered':
      return `IndexNow returned ${outcome.statusCode}${MEANINGS[outcome.statusCode] ?? '.'}`;
    case 'timeout':
    case 'network':
      return describeNoAnswer(outcome, 'IndexNow');
    case 'address_refused':
      return `The IndexNow address is not allowed: ${outcome.detail}`;
    case 'declined':
    case 'interrupted':
    case 'nothing_to_do':
    case 'unsendable':
      return 'The service stopped during the ping. Whether IndexNow got it is unknown.';
  }
}

/** What the protocol's documentation says of its statuses. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: ': it did not understand the request.',
  403: ': it did not find the key in the key file. Check the key file, then publish again.',
  422: ': the URLs do not belong to the host that serves the key, or the key does not match. Check the project’s site URL.',
  429: ': rate limit exceeded.',
};
