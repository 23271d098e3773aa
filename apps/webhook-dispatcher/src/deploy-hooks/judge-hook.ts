import { judge, type RetryPolicy, type Verdict } from '../http/judge.ts';
import { describeBadAnswer, type Outcome } from '../http/exchange.ts';

/** A test is made once; what changes ask for is retried. */
export type RequestKind = 'changes' | 'test';

/**
 * Decides what follows from an attempt: any 2xx is success, the rest is judged like an autopilot delivery (contract
 * §6.8), and a test is never repeated. Total and pure.
 */
export function judgeHook(
  outcome: Outcome,
  attempt: { readonly kind: RequestKind; readonly number: number },
  policy: RetryPolicy,
  chance: { readonly random: () => number; readonly now: Date },
): Verdict {
  if (outcome.kind === 'answered' && isSuccess(outcome.statusCode)) return { kind: 'succeeded' };
  const verdict = judge(outcome, { number: attempt.number, retries: attempt.kind !== 'test' }, policy, chance);
  // No 2xx comes as far as this, so it is no success by the stricter rule of webhooks either.
  if (verdict.kind === 'succeeded' || outcome.kind !== 'answered') return verdict;
  return { ...verdict, detail: describeStatus(outcome.statusCode, verdict, attempt.number) };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function describeStatus(status: number, verdict: Verdict, attempts: number): string {
  const answered = `The deploy hook returned ${status}`;
  if (status >= 300 && status <= 399) return `${answered}. Redirects are not followed.`;
  const isLast = verdict.kind === 'failed' && status >= 500 && attempts > 1;
  return `${answered}. Any 2xx counts as success.${isLast ? ` All ${attempts} attempts are used.` : ''}`;
}

/** What may make the hook succeed, for its owner; null where there is nothing to do. */
export function hintFor(outcome: Outcome, method: 'POST' | 'GET'): string | null {
  switch (outcome.kind) {
    case 'answered':
      return hintForStatus(outcome.statusCode, method);
    case 'timeout':
      return 'The host took too long. Most deploy hooks respond immediately. Check that the URL is the hook’s own.';
    case 'network':
      return describeBadAnswer(outcome.code) === null ? NETWORK_HINTS[outcome.stage] : BAD_ANSWER_HINT;
    case 'address_refused':
      return 'The host name must resolve to public addresses only.';
    case 'unsendable':
      return 'Save the deploy hook again, with its URL.';
    case 'declined':
    case 'nothing_to_do':
      return null;
    case 'interrupted':
      return 'The service stopped during the test. Test again.';
  }
}

const NETWORK_HINTS = {
  dns: 'Check the host name in the URL for typos.',
  tcp: 'Check that the host is up and the port in the URL is correct.',
  tls: 'The host needs a valid certificate for its name.',
  exchange: 'The host closed the connection before responding. Test again.',
} as const;

const BAD_ANSWER_HINT = 'The response is not valid HTTP. Check that the URL is the hook’s own.';

function hintForStatus(status: number, method: 'POST' | 'GET'): string | null {
  if (isSuccess(status)) return null;
  if (status >= 300 && status <= 399) return 'Save the URL that this one redirects to.';
  if (status >= 500) return 'The host returned a server error. Try again later.';
  const other = method === 'POST' ? 'GET' : 'POST';
  return STATUS_HINTS[status]?.(other) ?? 'Compare URL, method, headers and body with the host’s documentation.';
}

const credentials = () => 'The host requires credentials. Check that the URL is complete, or add the required header.';
const missing = () => 'The host does not know this hook. Copy its full URL again.';
const format = () => 'The host does not understand the request. Check the required body and Content-Type.';

const STATUS_HINTS: Readonly<Record<number, (otherMethod: string) => string>> = {
  400: format,
  401: credentials,
  403: credentials,
  404: missing,
  405: (otherMethod) => `The host does not accept this method. Try ${otherMethod}.`,
  410: missing,
  415: format,
  422: format,
  429: () => 'The host is rate limiting. Try again later.',
};
