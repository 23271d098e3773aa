import { ApiError } from '../api/api-error.ts';
import { problems } from '../strings/problems.ts';

/** A field that the service refuses, by the API’s name, and why. */
interface Refusal {
  readonly field: string;
  readonly message: string;
}

/** What a form calls the fields, and the lists and objects, that the API refuses by its own names. */
export type FieldNames = Readonly<Record<string, string>>;

export interface Explanation {
  readonly title: string;
  /** The service’s own sentence, if it gave one. */
  readonly detail: string | null;
  readonly todo: string;
  readonly fields: readonly Refusal[];
  /** Whether the same call may succeed later. */
  readonly mayPass: boolean;
}

/** An error of a call in words, with what to do. */
export function explainError(error: unknown): Explanation {
  if (!(error instanceof ApiError)) return { ...problems.broken, detail: null, fields: [], mayPass: true };
  const { status, problem } = error;
  const refusals = problem?.errors ?? [];
  const fields = refusals.map(({ field, message }) => ({ field, message: sentenceOf(field, message) }));
  // The sentence of one wrong field repeats what the field says.
  const [only] = refusals.length === 1 ? refusals : [];
  const repeats = only !== undefined && problem?.detail?.includes(only.message) === true;
  const detail = repeats ? null : (problem?.detail ?? null);
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

/** What the service says of a field is a phrase for developers; these have a sentence of their own. */
const sentenceOf = (field: string, message: string): string =>
  problems.fields[`${field}: ${message}`] ?? problems.fields[message] ?? message.replace(/^must /, 'Must ');

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

/** A field's label on the page: `sources.0.url` is “Source 1” where `sources` is called “Source”. */
export function nameOf(field: string, names: FieldNames): string {
  const [whole = field, part] = field.split('.');
  const name = names[field];
  if (name !== undefined) return name;
  const of = names[whole];
  if (of === undefined || part === undefined) return of ?? field;
  return `${of} ${/^\d+$/.test(part) ? Number(part) + 1 : part}`;
}

/** What was refused within a list that has one field for all items, such as `sources.0.url`, for that field to show. */
export function errorsIn(list: string, refused: Readonly<Record<string, string>>, name: string): string | undefined {
  const said = Object.entries(refused)
    .filter(([field]) => field === list || field.startsWith(`${list}.`))
    .map(([field, message]) => (field === list ? message : `${nameOf(field, { [list]: name })}: ${message}`));
  return said.length === 0 ? undefined : said.join(' ');
}

/** What of it no field of the form says already. `said` are the words at its fields. */
export const unsaid = (refused: readonly Refusal[], said: readonly string[]): readonly Refusal[] =>
  refused.filter(({ message }) => !said.some((words) => words.includes(message)));
