import type { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import { badRequest, unprocessable, type FieldError } from '../operational-error.ts';

const MAX_ERRORS = 50;
const MAX_FIELD_LENGTH = 200;

/**
 * Checks a request's body.
 *
 * @param body `request.body`; undefined when the request had none, or one that is not JSON.
 * @returns the data as the schema gives it.
 * @throws OperationalError 400 without a JSON body, 422 with one error for each field that does not fit.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  if (body === undefined) throw badRequest('The request needs a JSON body (Content-Type: application/json).');
  const parsed = schema.safeParse(body, { error: describeIssue });
  if (parsed.success) return parsed.data;
  throw unprocessable(parsed.error.issues.flatMap((issue) => fieldErrors(issue, [])).slice(0, MAX_ERRORS));
}

function fieldErrors(issue: z.core.$ZodIssue, parents: readonly PropertyKey[]): FieldError[] {
  const path = [...parents, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: fieldName([...path, key]), message: 'is not a known field' }));
  }
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
