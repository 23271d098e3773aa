import express, { type Request, type RequestHandler } from 'express';
import { badRequest, unsupportedCharset, unsupportedMediaType } from '../operational-error.ts';

const JSON_TYPES = ['application/json', 'application/*+json'];

/** Deepest nesting of objects and arrays in a body: far more than any has, far less than what ends a recursion. */
const MAX_JSON_DEPTH = 32;
/**
 * Most values in a body, counting those within others: three times what the largest request has, and few enough that a
 * complaint about each of them holds up no process.
 */
const MAX_JSON_VALUES = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: readonly number[] = [0x5b, 0x7b];
const CLOSING: readonly number[] = [0x5d, 0x7d];

/**
 * Reads JSON bodies of at most `limit` bytes into `request.body`; a body that was read before stays as it is. Refused
 * are bodies of other types with a change (415), compressed ones (415), of which a few kilobytes can unpack to
 * megabytes, other charsets than UTF-8 (415), and what {@link checkJsonShape} finds too deep or too much (400).
 */
export function jsonBody(limit: number): RequestHandler {
  const read = express.json({
    limit,
    inflate: false,
    type: JSON_TYPES,
    verify: (_request, _response, bytes, charset) => {
      if (charset !== 'utf-8') throw unsupportedCharset();
      checkJsonShape(bytes);
    },
  });
  return (request, response, next) => {
    if (isOfOtherType(request))
      next(unsupportedMediaType('The request body must be JSON. Send it as application/json.'));
    else read(request, response, next);
  };
}

/** Whether a change comes with a body that says to be something else than JSON. One that says nothing is not read. */
function isOfOtherType(request: Request): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length, 'content-type': type } = request.headers;
  if (request.method === 'GET' || request.method === 'HEAD' || type === undefined) return false;
  const hasBody = encoding !== undefined || Number(length) > 0;
  return hasBody && typeof request.is(JSON_TYPES) !== 'string';
}

/**
 * Refuses JSON whose shape alone would be expensive, before it is parsed: a few megabytes of brackets take a parser,
 * and the code that walks its result, half a second and much memory. Says nothing of whether it is valid JSON.
 *
 * @param text the body in UTF-8.
 * @throws a 400 problem for more than {@link MAX_JSON_DEPTH} levels or {@link MAX_JSON_VALUES} values.
 */
export function checkJsonShape(text: Uint8Array): void {
  const excess = excessOfJson(text);
  if (excess !== null) throw badRequest(`The body ${excess}.`);
}

/**
 * The same for JSON that does not come from callers: a clause that says what is too much; null when nothing is.
 *
 * @param text in UTF-8.
 */
export function excessOfJson(text: Uint8Array, maxValues = MAX_JSON_VALUES): string | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (byte === COMMA) {
      values += 1;
    } else if (OPENING.includes(byte)) {
      depth += 1;
      values += 1;
    } else if (CLOSING.includes(byte)) {
      depth -= 1;
    }
    if (depth > MAX_JSON_DEPTH) return `is nested more than ${MAX_JSON_DEPTH} levels deep`;
    if (values > maxValues) return `has more than ${maxValues} values`;
  }
  return null;
}

/** Where the string ends that begins at `start`. */
function endOfString(text: Uint8Array, start: number): number {
  // Nearly all of a large body is one long string: as far as no character is escaped, that is searched natively.
  const quote = text.indexOf(QUOTE, start);
  if (quote === -1 || text[quote - 1] !== BACKSLASH) return quote === -1 ? text.length : quote;
  let at = start;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Text as PostgreSQL holds it: without NUL, and with U+FFFD for half a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Whether PostgreSQL holds the text as it is. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * Makes every text of a parsed body one that can be stored, before it is checked. For services whose texts people read:
 * where every character counts, as in a secret, such text is refused instead.
 */
export const storableBody: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) makeStorable(body);
  next();
};

/** The depth is bounded by `checkJsonShape`. */
function makeStorable(holder: object): void {
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === 'string') (holder as Record<string, unknown>)[key] = storableText(value);
    else if (typeof value === 'object' && value !== null) makeStorable(value as object);
  }
}
