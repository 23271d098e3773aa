import { judge, type RetryPolicy, type Verdict } from '../attempt/judge.ts';
import type { Outcome } from '../http/outcome.ts';
import { readRetryAfter } from '../http/read-retry-after.ts';

/**
 * Decides what follows from a ping: any 2xx is success; time-outs, broken connections, 5xx and 429 are tried again like
 * an autopilot delivery; the rest is for the owner to mend. `number` counts from 1. Pure.
 */
export function judgePing(
  outcome: Outcome,
  number: number,
  policy: RetryPolicy,
  chance: { readonly random: () => number; readonly now: Date },
): Verdict {
  if (outcome.kind !== 'answered') return judge(outcome, { number, trigger: 'autopilot' }, policy, chance);
  const { statusCode, retryAfter, timings } = outcome;
  if (statusCode >= 200 && statusCode <= 299) return { kind: 'succeeded' };
  const detail = `IndexNow answered ${statusCode}${MEANINGS[statusCode] ?? '.'}`;
  const waitMs = retryAfter === null ? 0 : (readRetryAfter(retryAfter, chance.now) ?? 0);
  // Of a receiver a 4xx is for good; of this service 429 says how much it takes just now.
  const isTransient = statusCode === 429 || statusCode >= 500;
  const declined = { kind: 'declined', statusCode, detail, waitMs: isTransient ? waitMs : null, timings } as const;
  return judge(declined, { number, trigger: 'autopilot' }, policy, chance);
}

/** What the protocol's documentation says of its statuses. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: ': it did not understand the request.',
  403: ': it did not find the key in the key file. Check the key file, then publish again.',
  422: ': the addresses are not of the host that serves the key, or the key does not fit. Check the project’s website.',
  429: ': too many requests.',
};
