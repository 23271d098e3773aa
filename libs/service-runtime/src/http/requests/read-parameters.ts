import type { Request } from 'express';
import { z } from 'zod';
import { badRequest, notFound, OperationalError } from '../operational-error.ts';
import { describeIssue, gotValue } from './describe-issue.ts';
import { storableText } from './json-body.ts';

const uuid = z.uuid();

/** An id from the path, in lower case. @throws a 404 problem: what is no UUID names nothing. */
export function readId(value: unknown, of: string): string {
  const id = uuid.safeParse(value);
  if (!id.success) throw notFound(`${of.charAt(0).toUpperCase()}${of.slice(1)} not found.`);
  return id.data.toLowerCase();
}

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

/** Longest page of a list, and the usual one. */
const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

/** base64url of a position. */
const CURSOR = /^[A-Za-z0-9_-]{1,100}$/;
const BAD_CURSOR = 'must be `next_cursor` from the previous page';

const badLimit = ({ input }: { readonly input?: unknown }) => `must be between 1 and ${MAX_PAGE}${gotValue(input)}`;
/** Digits alone in a query string; a number where a tool of an agent gives it. */
const limit = z
  .union([z.string().regex(/^\d+$/).transform(Number), z.int()], { error: badLimit })
  .refine((value) => value >= 1 && value <= MAX_PAGE, { error: badLimit });

const pageQuery = z.object({
  cursor: z.string().regex(CURSOR, BAD_CURSOR).optional(),
  limit: limit.default(DEFAULT_PAGE),
});

export interface Page {
  /** Position of the last item of the page before; null on the first page. */
  readonly from: string | null;
  readonly limit: number;
}

/** A position that a 64-bit integer holds. */
const WHOLE_NUMBER = /^\d{1,18}$/;

/**
 * Reads `cursor` and `limit`.
 *
 * @param position the form of the list's positions; whole numbers unless given.
 * @throws a 400 problem that names what is wrong.
 */
export function readPage(query: unknown, position = WHOLE_NUMBER): Page {
  const { cursor, limit } = parseQuery(pageQuery, query);
  if (cursor === undefined) return { from: null, limit };
  const from = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!position.test(from)) throw badRequest(`\`cursor\` ${BAD_CURSOR}.`);
  return { from, limit };
}

/** The page of `items`, read with one more than `limit` so as to know whether another page follows. */
export function toPage<Item extends { readonly position: string | bigint }, Shown>(
  items: readonly Item[],
  limit: number,
  show: (item: Item) => Shown,
): { items: Shown[]; next_cursor: string | null } {
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = items.length > limit && last !== undefined;
  return {
    items: shown.map(show),
    next_cursor: hasMore ? Buffer.from(String(last.position), 'latin1').toString('base64url') : null,
  };
}

function storableQuery(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? storableText(value) : value]),
  );
}

/** Parses a query string's parameters. @throws a 400 problem that names the first wrong one. */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(storableQuery(query), { error: describeIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(`\`${issue?.path.join('.') ?? 'query'}\` ${issue?.message ?? 'is invalid'}.`);
}
