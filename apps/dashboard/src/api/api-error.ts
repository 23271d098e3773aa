import type { Problem } from '../generated/types.gen.ts';

/** A call that was refused, or got no answer: then its status is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly problem: Problem | null;
  /** From `Retry-After`. */
  readonly retryAfterSeconds: number | null;
  /** There was no answer in time, so it is unknown whether it was done. */
  readonly isTimeout: boolean;

  constructor(status: number, problem: Problem | null, retryAfterSeconds: number | null = null, isTimeout = false) {
    super(problem?.detail ?? `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isTimeout = isTimeout;
  }
}

/** What the generated client caught, as an `ApiError`; an aborted call stays what it is. */
export function toApiError(error: unknown, response: Response | undefined): unknown {
  if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError') return new ApiError(0, null, null, true);
  // An unreadable success was cut off, or is not the service’s, such as the page of a network that asks to sign in.
  if (response === undefined || response.ok) return new ApiError(0, null);
  const seconds = Number(response.headers.get('Retry-After'));
  return new ApiError(
    response.status,
    isProblem(error) ? error : null,
    response.headers.has('Retry-After') && Number.isFinite(seconds) ? seconds : null,
  );
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { detail, errors } = value as Record<string, unknown>;
  return typeof detail === 'string' && (errors === undefined || Array.isArray(errors));
}
