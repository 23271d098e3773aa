import { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import { badRequest, unprocessable, type FieldError } from '../operational-error.ts';
import { adviceOn, describeUnknown, unknownFields } from './unknown-fields.ts';

const MAX_ERRORS = 50;
const MAX_FIELD_LENGTH = 200;
/** Most unknown fields that the problem's `detail` names; `errors` has them all. */
const MAX_NAMED = 3;

/**
 * Checks a request's body. Fields that the schema does not have are refused, so that nothing a caller meant is lost
 * without a word.
 *
 * @param body `request.body`; undefined when the request had none, or one that is not JSON.
 * @returns the data as the schema gives it.
 * @throws OperationalError 400 without a JSON body, 422 with one error for each field that does not fit or is unknown.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  if (body === undefined) throw badRequest('The request requires a JSON body (Content-Type: application/json).');
  const parsed = schema.safeParse(body, { error: describeIssue });
  const unknown = unknownFields(schema, body);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const wrong = parsed.error?.issues.flatMap((issue) => fieldErrors(issue, [])) ?? [];
  const errors = unknown.map(({ path, known }) => ({
    field: fieldName(path),
    message: `is not a known field. ${adviceOn(String(path.at(-1)), known)}`,
  }));
  const all = [...errors, ...wrong].slice(0, MAX_ERRORS);
  if (unknown.length === 0) throw unprocessable(all);
  const named = unknown.slice(0, MAX_NAMED).map((field) => describeUnknown(field, fieldName(field.path)));
  throw unprocessable(all, named.join(' '));
}

const noFields = z.object({});

/** For an operation that takes no fields: refuses a body that has some, which would be lost. */
export function parseNoFields(body: unknown): void {
  parseBody(noFields, body ?? {});
}

function fieldErrors(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): FieldError[] {
  if (issue.code === 'unrecognized_keys') return []; // They are unknown fields.
  const path = [...parents, ...issue.path];
  if (issue.code === 'invalid_union') {
    // The alternative that fits best is most likely the one that was meant.
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0];
    if (closest !== undefined) return closest.flatMap((inner) => fieldErrors(inner, path));
  }
  return [{ field: fieldName(path), message: issue.message }];
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, MAX_FIELD_LENGTH) || 'body';
}
