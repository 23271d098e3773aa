import type { Request } from 'express';
import { badRequest, OperationalError } from '../operational-error.ts';

/** Whether a request may change what has this version now, by its `If-Match` (RFC 9110, 13.1.1). */
export type IfMatch = (version: number) => boolean;

const MAX_HEADER_LENGTH = 1_000;

/** The strong entity tag of a version. */
export const etagOf = (version: number): string => `"${version}"`;

/**
 * Reads `If-Match`. Every version will do when it is not there or `*` (routes answer 404 anyway when there is nothing).
 *
 * @throws a 400 problem when it is no list of entity tags.
 */
export function readIfMatch(request: Request): IfMatch {
  const value = request.headers['if-match']?.trim();
  if (value === undefined || value === '*') return () => true;
  // Weak tags never match here (RFC 9110, 13.1.1).
  const tags = value.split(',').map((tag) => tag.trim());
  if (value.length > MAX_HEADER_LENGTH || !tags.every((tag) => /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(tag))) {
    throw badRequest('If-Match must be * or an ETag, such as "7".');
  }
  return (version) => tags.includes(etagOf(version));
}

/** 412: somebody changed it since. `of` names what it is. */
export const preconditionFailed = (of: string): OperationalError =>
  new OperationalError({
    code: 'precondition_failed',
    status: 412,
    detail: `The ${of} changed since you read it. Reload it and apply your change again.`,
  });
