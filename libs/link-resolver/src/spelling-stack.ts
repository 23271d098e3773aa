/*
 * Reads text the way the most forgiving reader would, and knows when it spells `[INTERNAL:`.
 *
 * A character can be written as itself, percent-encoded (`%5B`), as a numeric or named reference (`&#91;`, `&lsqb;`),
 * and each character of such an escape can itself be escaped, to any depth (`%255B`, `&amp;#x5b;`, `&#37;5B`).
 * The stack holds the characters read so far. Whenever its top completes an escape, the escape is replaced by the
 * character it stands for, which may complete the next outer one. Each replacement shortens the stack, so n characters
 * cost O(n) whatever the nesting.
 *
 * Readers disagree about an escape without its semicolon, and about which kind of escape to decode first. So the stack
 * takes the reading that sees the most: a reference is complete as soon as it stands for a printable ASCII character,
 * and a semicolon after it is optional. That leaves nothing to choose: no other number of digits makes another
 * printable ASCII character (32–99 have two, 100–126 have three and begin with 10, 11 or 12), and no name begins with
 * another one. Hence there is no look-ahead: the stack depends on nothing but the characters pushed, and forgetting the
 * topmost entries leaves it as if their characters had never been there. remove-openers.ts rests on this.
 */

const PLACEHOLDER_OPENER = '[internal:';

/** How many characters `[INTERNAL:` has once decoded. */
export const OPENER_LENGTH = PLACEHOLDER_OPENER.length;

const PERCENT = 0x25;
const AMPERSAND = 0x26;
const NUMBER_SIGN = 0x23;
const SEMICOLON = 0x3b;
const LEFT_BRACKET = 0x5b;
const LOWER_X = 0x78;

const LARGEST_CODE_POINT = 0x10ffff;

/** Case is ignored, although HTML ignores it for `AMP` alone: an editor that shouts means the same. */
const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  lbrack: '[',
  lsqb: '[',
  nbsp: '\u00a0',
  newline: '\n',
  num: '#',
  percnt: '%',
  quest: '?',
  rbrack: ']',
  rsqb: ']',
  semi: ';',
  tab: '\t',
};

// Which escape the top of the stack is in the middle of.
const NO_ESCAPE = 0;
const AFTER_PERCENT = 1;
const AFTER_FIRST_HEX_DIGIT = 2;
const AFTER_NUMBER_SIGN = 3;
const IN_DECIMAL = 4;
const IN_HEXADECIMAL = 5;
/** This state and those above are the nodes of the tree of names; this one is its root, right after `&`. */
const AFTER_AMPERSAND = 6;

interface NameNode {
  readonly next: Map<number, number>;
  character?: number;
}
const nameNodes = growNameTree();

/** What one more character makes of an escape. */
interface Step {
  /** The escape that is read now, or {@link NO_ESCAPE}. */
  readonly escape: number;
  /** The number that its digits make so far. */
  readonly value: number;
  /** The character that the escape stands for, which is complete; -1 when it is not. */
  readonly decoded: number;
  /** Whether that was a reference, behind which a semicolon is optional. */
  readonly isReference: boolean;
}

/** The characters read so far, escapes decoded. See the top of this file. */
export class SpellingStack {
  #length = 0;
  readonly #codes: number[] = [];
  readonly #starts: number[] = [];
  readonly #escapes: number[] = [];
  /** Index of the `%` or `&` that began the escape an entry is in. */
  readonly #escapeStarts: number[] = [];
  readonly #values: number[] = [];
  /** How many semicolons right after an entry still belong to it. */
  readonly #optionalSemicolons: number[] = [];
  /** How much of `[INTERNAL:` is spelled by the entries up to and including this one. */
  readonly #spelled: number[] = [];

  get length(): number {
    return this.#length;
  }

  /** Decoded character of the topmost entry; -1 when there is none. */
  get top(): number {
    return this.#length === 0 ? -1 : this.#codes[this.#length - 1]!;
  }

  /** Whether the topmost entries spell `[INTERNAL:`. */
  get spellsOpener(): boolean {
    return this.#length > 0 && this.#spelled[this.#length - 1] === OPENER_LENGTH;
  }

  /** Whether nothing below the next character can matter any more: no escape and no opener is half read. */
  get isSettled(): boolean {
    const top = this.#length - 1;
    return top < 0 || (this.#escapes[top] === NO_ESCAPE && this.#spelled[top] === 0);
  }

  get takesSemicolon(): boolean {
    return this.#length > 0 && this.#optionalSemicolons[this.#length - 1]! > 0;
  }

  codeAt(index: number): number {
    return this.#codes[index]!;
  }

  /** Where in the raw text the entry begins. An entry reaches to the start of the next one. */
  startOf(index: number): number {
    return this.#starts[index]!;
  }

  /** Forgets the entries from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Reads one UTF-16 unit of the raw text, which stands at `position`. */
  push(unit: number, position: number): void {
    let code = unit;
    let start = position;
    let optionalSemicolons = 0;
    for (;;) {
      const below = this.#length - 1;
      if (code === SEMICOLON && this.takesSemicolon) {
        // The semicolon may itself be written as a reference (`&semi;`), with a semicolon of its own.
        this.#optionalSemicolons[below]! += optionalSemicolons - 1;
        return;
      }
      const step = below < 0 ? beginEscape(code) : readOn(this.#escapes[below]!, this.#values[below]!, code);
      if (step.decoded < 0) {
        this.#append(code, start, step.escape, step.value, optionalSemicolons);
        return;
      }
      this.#length = this.#escapeStarts[below]!;
      start = this.#starts[this.#length]!;
      code = step.decoded;
      if (step.isReference) optionalSemicolons += 1;
    }
  }

  #append(code: number, start: number, escape: number, value: number, optionalSemicolons: number): void {
    const index = this.#length;
    const begins = escape === AFTER_PERCENT || escape === AFTER_AMPERSAND;
    this.#codes[index] = code;
    this.#starts[index] = start;
    this.#escapes[index] = escape;
    this.#escapeStarts[index] = begins || escape === NO_ESCAPE ? index : this.#escapeStarts[index - 1]!;
    this.#values[index] = value;
    this.#optionalSemicolons[index] = optionalSemicolons;
    const spelled = index === 0 ? 0 : this.#spelled[index - 1]!;
    if (lowerCase(code) === PLACEHOLDER_OPENER.charCodeAt(spelled)) this.#spelled[index] = spelled + 1;
    else this.#spelled[index] = code === LEFT_BRACKET ? 1 : 0;
    this.#length = index + 1;
  }
}

const reading = (escape: number, value = 0): Step => ({ escape, value, decoded: -1, isReference: false });
const standsFor = (decoded: number, isReference: boolean): Step => ({
  escape: NO_ESCAPE,
  value: 0,
  decoded,
  isReference,
});
const PLAIN = reading(NO_ESCAPE);
const PERCENT_READ = reading(AFTER_PERCENT);
const AMPERSAND_READ = reading(AFTER_AMPERSAND);

/** What a character begins that ends no escape. */
function beginEscape(code: number): Step {
  if (code === PERCENT) return PERCENT_READ;
  return code === AMPERSAND ? AMPERSAND_READ : PLAIN;
}

/** What a character makes of the escape before it, whose digits have made `value`. */
function readOn(escape: number, value: number, code: number): Step {
  if (escape === NO_ESCAPE || code === PERCENT || code === AMPERSAND) return beginEscape(code);
  if (escape === AFTER_PERCENT || escape === AFTER_FIRST_HEX_DIGIT) return readPercentEncoded(escape, value, code);
  if (escape < AFTER_AMPERSAND) return readNumericReference(escape, value, code);
  if (escape === AFTER_AMPERSAND && code === NUMBER_SIGN) return reading(AFTER_NUMBER_SIGN);
  return readNamedReference(escape, code);
}

function readPercentEncoded(escape: number, value: number, code: number): Step {
  const digit = hexDigit(code);
  if (digit < 0) return PLAIN;
  if (escape === AFTER_PERCENT) return reading(AFTER_FIRST_HEX_DIGIT, digit);
  return standsFor(value * 16 + digit, false);
}

function readNumericReference(escape: number, value: number, code: number): Step {
  if (escape === AFTER_NUMBER_SIGN && lowerCase(code) === LOWER_X) return reading(IN_HEXADECIMAL);
  if (code === SEMICOLON && escape !== AFTER_NUMBER_SIGN) return standsFor(value, false);
  const base = escape === IN_HEXADECIMAL ? 16 : 10;
  const digit = hexDigit(code);
  if (digit < 0 || digit >= base) return PLAIN;
  const number = Math.min(value * base + digit, LARGEST_CODE_POINT);
  if (isPrintableAscii(number)) return standsFor(number, true);
  return reading(base === 16 ? IN_HEXADECIMAL : IN_DECIMAL, number);
}

function readNamedReference(escape: number, code: number): Step {
  const next = nameNodes[escape - AFTER_AMPERSAND]!.next.get(lowerCase(code));
  if (next === undefined) return PLAIN;
  const { character } = nameNodes[next - AFTER_AMPERSAND]!;
  return character === undefined ? reading(next) : standsFor(character, true);
}

const CANDIDATES = ['[', '%', '&'];

/** How many characters there are that an opener in any spelling can begin with, or `max` where there are more. */
export function countCandidates(text: string, max: number): number {
  let count = 0;
  for (const candidate of CANDIDATES) {
    for (let at = text.indexOf(candidate); at >= 0 && count < max; at = text.indexOf(candidate, at + 1)) count += 1;
  }
  return count;
}

/** Finds the next character that an opener in any spelling can begin with: `[`, `%` or `&`. */
export function openerCandidates(text: string): (from: number) => number {
  const pattern = /[[%&]/g;
  return (from) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? text.length;
  };
}

/** ASCII only: `toLowerCase` would make letters of other alphabets pass for `i` or `k`. */
export function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

function isPrintableAscii(code: number): boolean {
  return code >= 0x20 && code <= 0x7e;
}

/** The digit's value, 0–15; -1 when it is none. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = lowerCase(code);
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function growNameTree(): readonly NameNode[] {
  const nodes: NameNode[] = [{ next: new Map() }];
  for (const [name, character] of Object.entries(NAMED_CHARACTERS)) {
    let node = nodes[0]!;
    for (const letter of name) {
      const code = letter.charCodeAt(0);
      let state = node.next.get(code);
      if (state === undefined) {
        state = AFTER_AMPERSAND + nodes.push({ next: new Map() }) - 1;
        node.next.set(code, state);
      }
      node = nodes[state - AFTER_AMPERSAND]!;
    }
    node.character = character.charCodeAt(0);
  }
  return nodes;
}
