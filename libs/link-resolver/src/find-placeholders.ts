import { isSlug } from './segment.ts';
import { lowerCase, nextCandidate, OPENER_LENGTH, SpellingStack } from './spelling-stack.ts';

/** A placeholder in a stretch of raw text. */
interface FoundPlaceholder {
  readonly start: number;
  readonly end: number;
  /** Lowercase; null when the placeholder is malformed or has no end, in which case it resolves to nothing. */
  readonly slug: string | null;
  /** Where the slug itself is spelled; both are `end` when there is none. */
  readonly slugStart: number;
  readonly slugEnd: number;
}

const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const SEMICOLON = 0x3b;

/**
 * How far, in characters, `]` may be from an opener when words stand between them. Without it, one stray `[INTERNAL:`
 * would take the prose up to the next bracket with it.
 */
const MAX_MALFORMED_LENGTH = 200;

/**
 * Finds the placeholders of one stretch of text or of one attribute, in every spelling, in document order.
 *
 * A closed one reaches to its `]`, also when what it names is no slug. One without an end (a `[`, the end of the text
 * or more than 200 characters of prose come first) is only its `[INTERNAL:`: the words after it are the author's.
 *
 * @param reused a stack whose entries nobody needs any more.
 */
export function findPlaceholders(text: string, reused?: SpellingStack): FoundPlaceholder[] {
  const found: FoundPlaceholder[] = [];
  let position = nextCandidate(text, 0);
  if (position === text.length) return found;
  const stack = reused ?? new SpellingStack();
  stack.truncate(0);
  while (position < text.length) {
    stack.push(text.charCodeAt(position), position);
    position += 1;
    if (stack.spellsOpener) {
      const placeholder = readPlaceholder(text, position, stack);
      found.push(placeholder.found);
      position = placeholder.next;
    }
    if (stack.isSettled) {
      stack.truncate(0);
      position = nextCandidate(text, position);
    }
  }
  return found;
}

/** Reads on after an opener. Leaves the stack as the characters before `next` require. */
function readPlaceholder(
  text: string,
  from: number,
  stack: SpellingStack,
): { readonly found: FoundPlaceholder; readonly next: number } {
  const start = stack.startOf(stack.length - OPENER_LENGTH);
  const first = stack.length;
  let position = from;
  let spaces = 0;
  while (position < text.length) {
    const length = stack.length;
    stack.push(text.charCodeAt(position), position);
    position += 1;
    if (stack.length > first && stack.top === RIGHT_BRACKET) {
      while (stack.takesSemicolon && text.charCodeAt(position) === SEMICOLON) {
        stack.push(SEMICOLON, position);
        position += 1;
      }
      const slug = readSlug(stack, first);
      stack.truncate(0);
      return { found: { start, end: position, ...(slug ?? noSlug(position)) }, next: position };
    }
    if (stack.length > first && stack.top === LEFT_BRACKET) break;
    if (stack.length > length && isSpace(stack.top)) spaces += 1;
    if (spaces > 0 && stack.length - first > MAX_MALFORMED_LENGTH + spaces) break;
  }
  const end = stack.length > first ? stack.startOf(first) : position;
  return { found: { start, end, ...noSlug(end) }, next: position };
}

type SpelledSlug = Pick<FoundPlaceholder, 'slug' | 'slugStart' | 'slugEnd'>;

const noSlug = (at: number): SpelledSlug => ({ slug: null, slugStart: at, slugEnd: at });

function readSlug(stack: SpellingStack, first: number): SpelledSlug | null {
  let start = first;
  let end = stack.length - 1;
  while (start < end && isSpace(stack.codeAt(start))) start += 1;
  while (end > start && isSpace(stack.codeAt(end - 1))) end -= 1;
  let slug = '';
  for (let index = start; index < end; index += 1) slug += String.fromCodePoint(lowerCase(stack.codeAt(index)));
  return isSlug(slug) ? { slug, slugStart: stack.startOf(start), slugEnd: stack.startOf(end) } : null;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
}
