/** A text in which escapes are read. */
export interface ReadText {
  readonly plain: string;
  /**
   * Where, in the text, the character begins that is at a position of `plain`. To be asked for one position after the
   * other, each no smaller than the one before.
   */
  readonly origin: (position: number) => number;
}

const HEX = '[\\da-fA-F]';
const REST = `%[89abAB]${HEX}`;
/** An escape of JSON or of a program's text, of HTML, or a character of UTF-8 in a URL. */
const ESCAPE = new RegExp(
  [
    `\\\\(?:u${HEX}{4}|["'\\\\/bfnrt])`,
    `&(?:#\\d{1,7}|#[xX]${HEX}{1,6}|amp|lt|gt|quot|apos);`,
    `%(?:[0-7]${HEX}|[cdCD]${HEX}${REST}|[eE]${HEX}(?:${REST}){2}|[fF][0-7](?:${REST}){3})`,
  ].join('|'),
  'g',
);
/** Most characters of a text that one character of it may come to. */
export const MAX_ESCAPE_CHARACTERS = 10;

/**
 * Reads what JSON, HTML and URLs write for characters that they cannot hold, as any program writes it. A `+` is read as
 * the blank that it is in forms. Takes time by the length of the text.
 */
export function readEscapes(text: string): ReadText {
  const starts: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  const plain = text
    .replace(ESCAPE, (escape, start: number) => {
      const character = characterOf(escape);
      starts.push(start - shift);
      shift += escape.length - character.length;
      shifts.push(shift);
      return character;
    })
    .replaceAll('+', ' ');
  let passed = 0;
  const origin = (position: number) => {
    while ((starts[passed] ?? position) < position) passed += 1;
    return position + (shifts[passed - 1] ?? 0);
  };
  return { plain, origin };
}

function characterOf(escape: string): string {
  if (escape.startsWith('\\u')) return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
  if (escape.startsWith('\\')) return LETTERS[escape] ?? escape.slice(1);
  try {
    return escape.startsWith('%') ? decodeURIComponent(escape) : (NAMED[escape] ?? numbered(escape.slice(2, -1)));
  } catch {
    // No character has this number.
    return escape;
  }
}

const LETTERS: Readonly<Record<string, string>> = { '\\b': '\b', '\\f': '\f', '\\n': '\n', '\\r': '\r', '\\t': '\t' };
const NAMED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

const numbered = (digits: string) => String.fromCodePoint(Number(/^[xX]/.test(digits) ? `0${digits}` : digits));
