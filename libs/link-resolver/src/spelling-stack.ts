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

// What an entry of the stack has, each in one element of the array. In one array, because a hostile text pushes each of
// its characters: seven that grow took five times as long.
/** The decoded character. */
const CODE = 0;
/** Where in the raw text it begins. */
const START = 1;
/** The escape that it is in. */
const ESCAPE = 2;
/** Index of the `%` or `&` that began that escape. */
const ESCAPE_START = 3;
/** The number that the digits of the escape make so far. */
const VALUE = 4;
/** How many semicolons right after the entry still belong to it. */
const OPTIONAL_SEMICOLONS = 5;
/** How much of `[INTERNAL:` is spelled by the entries up to and including this one. */
const SPELLED = 6;
const ELEMENTS = 7;

/** Entries that there is room for at first. */
const FIRST_ROOM = 16;

/**
 * The characters read so far, escapes decoded. See the top of this file. Who reads many texts, one after the other,
 * makes one and truncates it: making it takes as long as reading some.
 */
export class SpellingStack {
  #length = 0;
  #entries = new Int32Array(FIRST_ROOM * ELEMENTS);

  get length(): number {
    return this.#length;
  }

  /** Decoded character of the topmost entry; -1 when there is none. */
  get top(): number {
    return this.#length === 0 ? -1 : this.#topmost(CODE);
  }

  /** Whether the topmost entries spell `[INTERNAL:`. */
  get spellsOpener(): boolean {
    return this.#length > 0 && this.#topmost(SPELLED) === OPENER_LENGTH;
  }

  /** Whether nothing below the next character can matter any more: no escape and no opener is half read. */
  get isSettled(): boolean {
    return this.#length === 0 || (this.#topmost(ESCAPE) === NO_ESCAPE && this.#topmost(SPELLED) === 0);
  }

  get takesSemicolon(): boolean {
    return this.#length > 0 && this.#topmost(OPTIONAL_SEMICOLONS) > 0;
  }

  codeAt(index: number): number {
    return this.#entries[index * ELEMENTS + CODE]!;
  }

  /** Where in the raw text the entry begins. An entry reaches to the start of the next one. */
  startOf(index: number): number {
    return this.#entries[index * ELEMENTS + START]!;
  }

  /** Forgets the entries from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Reads one UTF-16 unit of the raw text, which stands at `position`. */
  push(unit: number, position: number): void {
    const isPlain = unit !== PERCENT && unit !== AMPERSAND && unit !== SEMICOLON;
    if (isPlain && (this.#length === 0 || this.#topmost(ESCAPE) === NO_ESCAPE)) {
      this.#append(unit, position, NO_ESCAPE, 0, 0);
    } else {
      this.#read(unit, position);
    }
  }

  /** What may begin, end or be in an escape. */
  #read(unit: number, position: number): void {
    let code = unit;
    let start = position;
    let optionalSemicolons = 0;
    for (;;) {
      if (code === SEMICOLON && this.takesSemicolon) {
        // The semicolon may itself be written as a reference (`&semi;`), with a semicolon of its own.
        this.#entries[(this.#length - 1) * ELEMENTS + OPTIONAL_SEMICOLONS]! += optionalSemicolons - 1;
        return;
      }
      const step = this.#length === 0 ? beginEscape(code) : readOn(this.#topmost(ESCAPE), this.#topmost(VALUE), code);
      if (step.decoded < 0) {
        this.#append(code, start, step.escape, step.value, optionalSemicolons);
        return;
      }
      this.#length = this.#topmost(ESCAPE_START);
      start = this.startOf(this.#length);
      code = step.decoded;
      if (step.isReference) optionalSemicolons += 1;
    }
  }

  #append(code: number, start: number, escape: number, value: number, optionalSemicolons: number): void {
    const index = this.#length;
    const at = index * ELEMENTS;
    if (at === this.#entries.length) this.#makeRoom();
    const entries = this.#entries;
    const begins = escape === AFTER_PERCENT || escape === AFTER_AMPERSAND || escape === NO_ESCAPE;
    entries[at + CODE] = code;
    entries[at + START] = start;
    entries[at + ESCAPE] = escape;
    entries[at + ESCAPE_START] = begins ? index : entries[at - ELEMENTS + ESCAPE_START]!;
    entries[at + VALUE] = value;
    entries[at + OPTIONAL_SEMICOLONS] = optionalSemicolons;
    const spelled = index === 0 ? 0 : entries[at - ELEMENTS + SPELLED]!;
    if (lowerCase(code) === PLACEHOLDER_OPENER.charCodeAt(spelled)) entries[at + SPELLED] = spelled + 1;
    else entries[at + SPELLED] = code === LEFT_BRACKET ? 1 : 0;
    this.#length = index + 1;
  }

  #topmost(element: number): number {
    return this.#entries[(this.#length - 1) * ELEMENTS + element]!;
  }

  #makeRoom(): void {
    const larger = new Int32Array(2 * this.#entries.length);
    larger.set(this.#entries);
    this.#entries = larger;
  }
}

const reading = (escape: number, value = 0): Step => ({ escape, value, decoded: -1, isReference: false });
const standsFor = (decoded: number, isReference: boolean): Step => ({
  escape: NO_ESCAPE,
  value: 0,
  decoded,
  isReference,
});
/** What each next letter of a name makes of it. No name begins with another one. */
type NameNode = Map<number, Step>;
const nameNodes = growNameTree();
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
  return escape === AFTER_PERCENT ? reading(AFTER_FIRST_HEX_DIGIT, digit) : standsFor(value * 16 + digit, false);
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
  return nameNodes[escape - AFTER_AMPERSAND]!.get(lowerCase(code)) ?? PLAIN;
}

const CANDIDATES = ['[', '%', '&'];
/** Any of them: V8 finds it ten times as fast as a loop over character codes does. */
const ANY_CANDIDATE = /[[%&]/g;

/** How many characters there are that an opener in any spelling can begin with, or `max` where there are more. */
export function countCandidates(text: string, max: number): number {
  let count = 0;
  for (const candidate of CANDIDATES) {
    for (let at = text.indexOf(candidate); at >= 0 && count < max; at = text.indexOf(candidate, at + 1)) count += 1;
  }
  return count;
}

/** Where the next character stands that an opener in any spelling can begin with: `[`, `%` or `&`. */
export function nextCandidate(text: string, from: number): number {
  ANY_CANDIDATE.lastIndex = from;
  return ANY_CANDIDATE.test(text) ? ANY_CANDIDATE.lastIndex - 1 : text.length;
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
  const nodes: NameNode[] = [new Map()];
  for (const [name, character] of Object.entries(NAMED_CHARACTERS)) {
    let node = nodes[0]!;
    for (const letter of name.slice(0, -1)) {
      const code = letter.charCodeAt(0);
      const step = node.get(code) ?? reading(AFTER_AMPERSAND + nodes.push(new Map()) - 1);
      node.set(code, step);
      node = nodes[step.escape - AFTER_AMPERSAND]!;
    }
    node.set(name.charCodeAt(name.length - 1), standsFor(character.charCodeAt(0), true));
  }
  return nodes;
}
