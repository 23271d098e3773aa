import { badRequest } from '../operational-error.ts';

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
 * Refuses JSON whose shape alone would be expensive, before it is parsed: a few megabytes of brackets take a parser,
 * and whatever goes through its result, half a second and much memory. Says nothing of whether it is valid JSON.
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
