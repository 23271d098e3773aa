/*
 * How `[INTERNAL:slug]` can be written: each character as itself, percent-encoded, or as a character reference, and the
 * `%` of a percent escape as a reference, too. That is what a browser makes of an attribute: it decodes references
 * first, then percent escapes, once each. What is encoded more often is text, and shown as that text.
 */

const NAMES: Readonly<Record<string, string>> = {
  '[': '|&lbrack;|&lsqb;',
  ']': '|&rbrack;|&rsqb;',
  ':': '|&colon;',
  '?': '|&quest;',
  '#': '|&num;',
  '%': '|&percnt;',
};

const PERCENT = `(?:%|${references('%')})`;

/** The source of a regular expression (with the flag `i`) for the character in every spelling. */
export function spellings(character: string): string {
  return `(?:\\x${codes(character, 16)[0]}|${PERCENT}(?:${codes(character, 16).join('|')})|${references(character)})`;
}

/** The same for `[INTERNAL:`. */
export const OPENER_SOURCE = [...'[INTERNAL:'].map(spellings).join('');

/** The semicolon after a number is optional, as in browsers. */
function references(character: string): string {
  const [decimal, hexadecimal] = [10, 16].map((radix) => codes(character, radix).join('|'));
  return `&#0*(?:${decimal});?|&#x0*(?:${hexadecimal});?${NAMES[character] ?? ''}`;
}

function codes(character: string, radix: number): string[] {
  return [character, character.toLowerCase()].map((letter) => letter.charCodeAt(0).toString(radix));
}

const CHARACTER = new RegExp(`${PERCENT}([\\da-f]{2})|&#x([\\da-f]+);?|&#(\\d+);?|&(nbsp|tab|newline);|[^]`, 'gi');
const MAX_CODE_POINT = 0x10ffff;

/** A character that a text spells, lowercase if it is ASCII, and where it starts. */
export interface Spelled {
  readonly character: string;
  readonly start: number;
}

/** The characters that may be a slug, or spaces around it: other references with a name are left as they are. */
export function spelledCharacters(text: string): Spelled[] {
  return [...text.matchAll(CHARACTER)].map((match) => ({
    character: decode(match).replace(/[A-Z]/, (letter) => letter.toLowerCase()),
    start: match.index,
  }));
}

function decode([raw, percent, hexadecimal = percent, decimal, space]: RegExpExecArray): string {
  if (space !== undefined) return ' ';
  if (hexadecimal === undefined && decimal === undefined) return raw;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  return String.fromCodePoint(Math.min(code, MAX_CODE_POINT));
}
