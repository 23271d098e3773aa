import { STATUS_CODES } from 'node:http';
import type { DatabaseFault } from '../database-fault.ts';

/** A field that was refused: its dotted path (`body` for the whole), and why. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface OperationalErrorOptions {
  /** For logs and for code that asks; answers do not have it. */
  readonly code: string;
  readonly status: number;
  /** What the caller is told: one sentence or more. */
  readonly detail: string;
  /** The status's own phrase unless given. */
  readonly title?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Something that can go wrong in normal operation and that the caller is told about. Anything else that is thrown is a
 * bug.
 */
export class OperationalError extends Error {
  override readonly name = 'OperationalError';
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ code, status, detail, title, errors, headers }: OperationalErrorOptions) {
    super(detail);
    this.code = code;
    this.status = status;
    this.title = title ?? STATUS_CODES[status] ?? 'Error';
    this.detail = detail;
    this.errors = errors;
    this.headers = headers ?? {};
  }
}

/** 400: the request cannot be understood. */
export const badRequest = (detail: string) => new OperationalError({ code: 'bad_request', status: 400, detail });

/** 401. `challenge` is the value of `WWW-Authenticate`. */
export const unauthorized = (detail: string, challenge = 'Bearer') =>
  new OperationalError({ code: 'unauthorized', status: 401, detail, headers: { 'WWW-Authenticate': challenge } });

/** 403: known, and not allowed. */
export const forbidden = (detail: string) => new OperationalError({ code: 'forbidden', status: 403, detail });

/** 404. */
export const notFound = (detail: string) => new OperationalError({ code: 'not_found', status: 404, detail });

/** 409: what is asked does not go together with what is there. */
export const conflict = (detail: string) => new OperationalError({ code: 'conflict', status: 409, detail });

/** 413. */
export const payloadTooLarge = (detail: string) =>
  new OperationalError({ code: 'payload_too_large', status: 413, detail });

/** 415. */
export const unsupportedMediaType = (detail: string) =>
  new OperationalError({ code: 'unsupported_media_type', status: 415, detail });

/** 422: understood, and refused field by field. */
export const unprocessable = (errors: readonly FieldError[], detail = summaryOf(errors)) =>
  new OperationalError({ code: 'unprocessable', status: 422, detail, errors });

/** Most fields that a summary names; `errors` has them all. */
const MAX_NAMED = 3;

/** One error says all of it; several are counted, and the first are named. */
function summaryOf(errors: readonly FieldError[]): string {
  const [first, ...others] = errors;
  if (first !== undefined && others.length === 0) return sentenceOf(first);
  const names = errors.slice(0, MAX_NAMED).map(({ field }) => `\`${field}\``);
  return `${String(errors.length)} fields are invalid: ${names.join(', ')}${errors.length > MAX_NAMED ? ', …' : '.'}`;
}

/** Messages usually follow the name of their field; the URL guard's are sentences of their own. */
function sentenceOf({ field, message }: FieldError): string {
  const isSentence = /^[A-Z“"]/.test(message);
  const subject = field === 'body' ? 'The body' : `\`${field}\``;
  return `${isSentence ? message : `${subject} ${message}`}${/[.?!]$/.test(message) ? '' : '.'}`;
}

/** 429. @param retryAfterS after how many seconds the caller may come again. */
export const tooManyRequests = (detail: string, retryAfterS: number) =>
  new OperationalError({
    code: 'too_many_requests',
    status: 429,
    detail,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterS))) },
  });

/** What callers are told of a database that doesn't do its work, and after how many seconds they may come again. */
const DATABASE_FAULTS = {
  disk_full: ['The service cannot store changes: the disk of its database is full. Reading still works.', 30],
  read_only: ['The service cannot store changes: its database is read-only at the moment. Reading still works.', 30],
  timeout: ['The database did not respond in time. A change may have been stored: look before you repeat it.', 2],
  unreachable: ['The database cannot be reached. A change may have been stored: look before you repeat it.', 2],
} as const satisfies Readonly<Record<DatabaseFault['reason'], readonly [detail: string, retryAfterS: number]>>;

/** 503: right, but the database can't do it now. */
export function databaseFault({ reason }: DatabaseFault): OperationalError {
  const [detail, retryAfterS] = DATABASE_FAULTS[reason];
  const headers = { 'Retry-After': String(retryAfterS) };
  return new OperationalError({ code: `database_${reason}`, status: 503, detail, headers });
}

/** 415: the body's bytes are no UTF-8. */
export const unsupportedCharset = () =>
  unsupportedMediaType('The charset of the request body is not supported. Use UTF-8.');
