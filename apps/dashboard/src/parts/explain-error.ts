import { ApiError } from '../api/api-error.ts';
import { problems } from '../strings/problems.ts';

export interface Explanation {
  readonly title: string;
  /** The service’s own sentence, if it gave one. */
  readonly detail: string | null;
  readonly todo: string;
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** Whether the same call may succeed later. */
  readonly mayPass: boolean;
}

/** An error of a call in words, with what to do. */
export function explainError(error: unknown): Explanation {
  if (!(error instanceof ApiError)) return { ...problems.broken, detail: null, fields: [], mayPass: true };
  const { status, problem } = error;
  const fields = problem?.errors ?? [];
  const detail = problem?.detail ?? null;
  const said = { detail, fields, mayPass: false };
  if (error.isTimeout) return { ...said, ...problems.tooLate, mayPass: true };
  if (status === 0) return { ...said, ...problems.offline, mayPass: true };
  if (status === 429) {
    return {
      ...said,
      title: problems.tooMany.title,
      todo: problems.tooMany.todo(error.retryAfterSeconds),
      mayPass: true,
    };
  }
  if (status >= 500) return { ...said, ...problems.broken, detail: null, mayPass: true };
  return { ...said, ...(byStatus[status] ?? (problem === null ? problems.unnamed : problems.refused)) };
}

const byStatus: Readonly<Record<number, { title: string; todo: string } | undefined>> = {
  401: problems.signedOut,
  403: problems.forbidden,
  404: problems.gone,
  409: problems.conflict,
  412: problems.faster,
  413: problems.tooLarge,
};

/** The messages of the fields that were refused, by the field’s name, for a form to show beside them. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(explainError(error).fields.map(({ field, message }) => [field, message]));
}
