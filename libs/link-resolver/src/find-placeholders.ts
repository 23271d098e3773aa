import { isSlug } from './segment.ts';
import { OPENER_SOURCE, spelledCharacters, spellings, type Spelled } from './spellings.ts';

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

/**
 * How far, in characters, `]` may be from an opener when words are between them. Without it, one stray `[INTERNAL:`
 * would take the prose up to the next bracket with it.
 */
const MAX_MALFORMED_LENGTH = 200;

const OPENER = new RegExp(OPENER_SOURCE, 'gi');
const BRACKET = new RegExp(`(${spellings(']')})|${spellings('[')}`, 'gi');

/**
 * Finds the placeholders of one stretch of text or of one attribute, in every spelling, in document order.
 *
 * A closed one reaches to its `]`, also when what it names is no slug. One without an end (a `[`, the end of the text
 * or more than 200 characters of prose come first) is only its `[INTERNAL:`: the words after it are the author's.
 */
export function findPlaceholders(text: string): FoundPlaceholder[] {
  const found: FoundPlaceholder[] = [];
  OPENER.lastIndex = 0;
  for (let opener = OPENER.exec(text); opener !== null; opener = OPENER.exec(text)) {
    const placeholder = readPlaceholder(text, opener.index, OPENER.lastIndex);
    found.push(placeholder);
    OPENER.lastIndex = placeholder.end;
  }
  return found;
}

function readPlaceholder(text: string, start: number, from: number): FoundPlaceholder {
  const nothing = (end: number) => ({ start, end, slug: null, slugStart: end, slugEnd: end });
  BRACKET.lastIndex = from;
  const bracket = BRACKET.exec(text);
  if (bracket?.[1] === undefined) return nothing(from);
  const inner = spelledCharacters(text.slice(from, bracket.index));
  const length = inner.filter(isWord).length;
  if (length > MAX_MALFORMED_LENGTH && length < inner.length) return nothing(from);
  const first = inner.findIndex(isWord);
  const last = inner.findLastIndex(isWord);
  const slug = inner.slice(first, last + 1).map(({ character }) => character);
  if (first < 0 || !isSlug(slug.join(''))) return nothing(BRACKET.lastIndex);
  const slugEnd = inner[last + 1]?.start ?? bracket.index - from;
  return {
    start,
    end: BRACKET.lastIndex,
    slug: slug.join(''),
    slugStart: from + inner[first]!.start,
    slugEnd: from + slugEnd,
  };
}

const isWord = ({ character }: Spelled) => !/[\t-\r \u00a0]/.test(character);
