import { isAddressRefused } from '@blog-content/url-guard';
import { AnswerFellSilent, AnswerTooLong } from './bounded-fetch.ts';
import { EndpointFailure, type EndpointFault } from './endpoint.ts';

const RATE_LIMITED = 429;
const NEVER_SENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
/** Of Node, as in `ECONNRESET` and `DEPTH_ZERO_SELF_SIGNED_CERT`. */
const NETWORK_CODE = /^[A-Z][A-Z0-9_]{2,60}$/;
const NOT_ALLOWED = new Set([401, 403, 404, 405]);

interface Failing {
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  /** The start of what was answered. */
  readonly startOf: () => string | null;
}

/** Runs a request. @throws EndpointFailure for any failure of its server. */
export async function failing<Result>(
  { signal, clock, startOf }: Failing,
  request: () => Promise<Result>,
): Promise<Result> {
  const { APIConnectionTimeoutError, APIError } = await import('openai');
  try {
    return await request();
  } catch (error) {
    signal.throwIfAborted();
    const answer = startOf();
    if (error instanceof EndpointFailure) throw new EndpointFailure({ ...error.fault, answer }, { cause: error });
    const causes = causesOf(error);
    const fault = (kind: EndpointFault['kind'], more: Partial<EndpointFault> = {}) =>
      new EndpointFailure(
        { kind, status: null, retryAfterMs: null, mayBeCharged: true, answer, code: null, ...more },
        { cause: error },
      );
    if (causes.some(isAddressRefused)) throw fault('address_refused', { mayBeCharged: false });
    if (causes.some((cause) => cause instanceof AnswerTooLong)) throw fault('unusable');
    const isTimeout = error instanceof APIConnectionTimeoutError || causes.some(isTooSlow);
    if (isTimeout) throw fault('timeout');
    const status: unknown = error instanceof APIError ? error.status : undefined;
    if (error instanceof APIError && typeof status === 'number') {
      const answered = {
        status,
        retryAfterMs: retryAfterOf(error.headers as Headers | undefined, clock()),
        mayBeCharged: false,
      };
      if (status === RATE_LIMITED) throw fault('rate_limited', answered);
      if (status >= 500 || status === 408 || status === 409) throw fault('unavailable', answered);
      throw fault(NOT_ALLOWED.has(status) || status < 400 ? 'not_allowed' : 'refused', answered);
    }
    // Nothing was sent where there was nobody to send it to.
    const neverSent = causes.some((cause) => NEVER_SENT.has(codeOf(cause)));
    if (error instanceof SyntaxError) throw fault('unusable');
    const code = causes.map(codeOf).find((one) => typeof one === 'string' && NETWORK_CODE.test(one));
    throw fault('unavailable', { mayBeCharged: !neverSent, code: (code as string | undefined) ?? null });
  }
}

/** Ours, or the whole time-out as `got` tells it. */
const isTooSlow = (error: unknown) => error instanceof AnswerFellSilent || codeOf(error) === 'ETIMEDOUT';

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null)?.code;

/** An error and what caused it, as far as it says. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause) causes.push(cause);
  return causes;
}

function retryAfterOf(headers: Headers | undefined, now: Date): number | null {
  const given = headers?.get?.('retry-after');
  if (given == null) return null;
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
