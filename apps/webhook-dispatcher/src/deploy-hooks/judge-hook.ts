import { judge, type RetryPolicy, type Verdict } from '../attempt/judge.ts';
import { describeBadAnswer } from '../http/bad-answer.ts';
import type { Outcome } from '../http/outcome.ts';

/** A test is made once; what changes ask for is retried. */
export type RequestKind = 'changes' | 'test';

/**
 * Decides what follows from an attempt: any 2xx is success, the rest is judged like an autopilot delivery (contract
 * "Deploy hook"), and a test is never repeated. Total and pure.
 */
export function judgeHook(
  outcome: Outcome,
  attempt: { readonly kind: RequestKind; readonly number: number },
  policy: RetryPolicy,
  chance: { readonly random: () => number; readonly now: Date },
): Verdict {
  if (outcome.kind === 'answered' && isSuccess(outcome.statusCode)) return { kind: 'succeeded' };
  const trigger = attempt.kind === 'test' ? 'manual' : 'autopilot';
  const verdict = judge(outcome, { number: attempt.number, trigger }, policy, chance);
  // No 2xx comes as far as this, so it is no success by the stricter rule of webhooks either.
  if (verdict.kind === 'succeeded' || outcome.kind !== 'answered') return verdict;
  return { ...verdict, detail: describeStatus(outcome.statusCode, verdict, attempt.number) };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function describeStatus(status: number, verdict: Verdict, attempts: number): string {
  const answered = `The deploy hook answered ${status}`;
  if (status >= 300 && status <= 399) return `${answered}; redirects are not followed.`;
  const isLast = verdict.kind === 'failed' && status >= 500 && attempts > 1;
  return `${answered}; any 2xx counts as success.${isLast ? ` It was attempted ${attempts} times.` : ''}`;
}

/** What may make the hook succeed, for its owner; null where there is nothing to do. */
export function hintFor(outcome: Outcome, method: 'POST' | 'GET'): string | null {
  switch (outcome.kind) {
    case 'answered':
      return hintForStatus(outcome.statusCode, method);
    case 'timeout':
      return 'The host took too long. Most deploy hooks answer at once: see whether the URL is the hook’s own.';
    case 'network':
      return describeBadAnswer(outcome.code) === null ? NETWORK_HINTS[outcome.stage] : BAD_ANSWER_HINT;
    case 'address_refused':
      return 'The host’s name must lead to public addresses only.';
    case 'unsendable':
      return 'Save the deploy hook again, with its URL.';
    case 'declined':
    case 'nothing_to_do':
      return null;
    case 'interrupted':
      return 'The service was stopped meanwhile. Test again.';
  }
}

const NETWORK_HINTS = {
  dns: 'See whether the host in the URL is written correctly.',
  tcp: 'See whether the host is up, and whether the port in the URL is right.',
  tls: 'The host must have a valid certificate for its name.',
  exchange: 'The host ended the connection before it had answered. Test again.',
} as const;

const BAD_ANSWER_HINT = 'What answers there does not keep to HTTP: see whether the URL is the hook’s own.';

function hintForStatus(status: number, method: 'POST' | 'GET'): string | null {
  if (isSuccess(status)) return null;
  if (status >= 300 && status <= 399) return 'Save the URL that this one leads to.';
  if (status >= 500) return 'The host has trouble of its own. Try again later.';
  const other = method === 'POST' ? 'GET' : 'POST';
  return STATUS_HINTS[status]?.(other) ?? 'Compare URL, method, headers and body with what the host asks for.';
}

const credentials = () => 'The host wants credentials: see whether the URL is complete, or add the header it asks for.';
const missing = () => 'There is no such hook at the host: copy its URL again, as a whole.';
const format = () => 'The host does not understand the request: see which body and Content-Type it asks for.';

const STATUS_HINTS: Readonly<Record<number, (otherMethod: string) => string>> = {
  400: format,
  401: credentials,
  403: credentials,
  404: missing,
  405: (otherMethod) => `The host does not take this method: try ${otherMethod}.`,
  410: missing,
  415: format,
  422: format,
  429: () => 'The host wants fewer requests. Try again later.',
};
