import type { Segment } from '@blog-content/link-resolver';
import { textOf } from './text-of-html.ts';

/** Text beyond this many characters is not searched. PostgreSQL keeps at most 1 MB of words for a row. */
const MAX_TEXT = 100_000;
/** Longer words are cut, in posts and in queries. */
const MAX_WORD = 64;
/**
 * Marks behind one letter. Normalizing puts them in order, which takes time by the square of their number. No language
 * has more than a few.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Scripts that put no space between words, or put endings and particles to them. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');
const LETTERS = String.raw`[\p{L}\p{N}\p{M}]`;
/** Extensions have what several scripts share, as the prolonged vowel of katakana, but punctuation, too. */
const UNSPACED_LETTERS = `[[[${UNSPACED}]&&${LETTERS}]--[\\p{Script=Latin}\\p{Nd}\\u0300-\\u036f]]`;
const WORD = new RegExp(`${UNSPACED_LETTERS}+|[${LETTERS}--${UNSPACED_LETTERS}]+`, 'gv');
const STARTS_UNSPACED = new RegExp(`^${UNSPACED_LETTERS}`, 'v');
/** None of these scripts has a character before: most words need no look at them. */
const FIRST_UNSPACED = 0x0e00;

/** What of a blog is searched. */
export interface SearchedText {
  readonly title: string;
  readonly excerpt: string;
  readonly tags: readonly string[];
  readonly segments: readonly Segment[];
}

/**
 * The distinct words of a blog's title, excerpt, tags and content, with a space between them: what the column `search`
 * is made of. Made here and not by PostgreSQL, whose words depend on its locale and cost three times as much.
 */
export function searchWords({ title, excerpt, tags, segments }: SearchedText): string {
  const html = segments.filter((segment) => typeof segment === 'string').join('');
  return wordsOf([title, excerpt, ...tags, textOf(html.slice(0, 4 * MAX_TEXT))].join(' ')).join(' ');
}

/**
 * The distinct words of a text, in the order of their first appearance: runs of letters, digits and marks, in lowercase,
 * without accents and in one spelling (NFKC). Runs of Chinese, Japanese, Korean, Thai and their like give each character
 * and each two neighbours. At most 64 characters a word; any string is some text.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const run of evenOut(text).match(WORD) ?? []) {
    if (run.charCodeAt(0) < FIRST_UNSPACED || !STARTS_UNSPACED.test(run)) {
      words.push(cut(withoutAccents(run)));
      continue;
    }
    let before = '';
    for (const character of run) {
      words.push(character);
      if (before !== '') words.push(before + character);
      before = character;
    }
  }
  return [...new Set(words)].filter((word) => word !== '');
}

function evenOut(text: string): string {
  return text.slice(0, MAX_TEXT).replace(TOO_MANY_MARKS, '$1').normalize('NFKC').slice(0, MAX_TEXT).toLowerCase();
}

/** Letters that no mark was put to, as they are written without them. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n', ς: 'σ' },
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');
const NOT_ASCII = /[^\0-\x7f]/;
/** Accents of Latin, Greek and Cyrillic; points of Hebrew and vowels of Arabic, which few people type. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

/** The word as people type it on any keyboard: “cafe” for “café”. */
function withoutAccents(word: string): string {
  if (!NOT_ASCII.test(word)) return word;
  const plain = word.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  return plain.replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter);
}

function cut(word: string): string {
  return word.length <= MAX_WORD ? word : word.slice(0, MAX_WORD).toWellFormed();
}
