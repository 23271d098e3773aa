import type { Segment } from '@blog-content/link-resolver';
import { textOf } from './text-of-html.ts';
import { sortedAsciiWords } from './search-words-ascii.ts';

/** Text beyond this many characters is not searched. PostgreSQL keeps at most 1 MiB of words for a row. */
const MAX_TEXT = 100_000;
/** Longer words are cut, in what is searched and in what is looked for. */
const MAX_WORD = 64;

const ASCII = /^[\0-\x7f]*$/;
/** Spaces, dashes, quotation marks and dots that are in no word: without them many a text is ASCII. */
const TYPOGRAPHIC = /[\u00a0\u2010-\u201f\u2026]/g;
/** Scripts that put no space between words. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const WORD = new RegExp(String.raw`[${UNSPACED}]+|[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]+`, 'gv');
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'v');

/** What of a blog is searched. */
export interface SearchedText {
  readonly title: string;
  readonly excerpt: string;
  readonly tags: readonly string[];
  readonly segments: readonly Segment[];
}

/**
 * The distinct words of a blog's title, excerpt, tags and content, with a space between them: what the column `search` is
 * made of. Made here and not by PostgreSQL, whose words depend on its locale and cost three times as much; and sorted where that
 * is cheap, because PostgreSQL sorts them, which takes a third of what it does for a blog unless they are sorted already.
 */
export function searchWords({ title, excerpt, tags, segments }: SearchedText): string {
  const html = segments.filter((segment) => typeof segment === 'string').join('');
  const text = evenOut([title, excerpt, ...tags, textOf(html.slice(0, 4 * MAX_TEXT))].join(' '));
  return ASCII.test(text) ? sortedAsciiWords(text, MAX_WORD) : wordsIn(text).join(' ');
}

/**
 * The distinct words of a text, in the order of their first appearance: runs of letters, digits and marks, in lowercase and in
 * one spelling (NFKC). Runs of Chinese and Japanese give each character and each two neighbours. At most 64 characters a word;
 * any string is some text.
 */
export function wordsOf(text: string): string[] {
  return wordsIn(evenOut(text));
}

function evenOut(text: string): string {
  const start = text.slice(0, MAX_TEXT);
  if (ASCII.test(start)) return start.toLowerCase();
  return start.replace(TYPOGRAPHIC, ' ').normalize('NFKC').slice(0, MAX_TEXT).toLowerCase();
}

function wordsIn(even: string): string[] {
  const words: string[] = [];
  for (const run of even.match(WORD) ?? []) {
    if (!STARTS_UNSPACED.test(run)) {
      words.push(run);
      continue;
    }
    let before = '';
    for (const character of run) {
      words.push(character);
      if (before !== '') words.push(before + character);
      before = character;
    }
  }
  return distinct(words);
}

function distinct(words: readonly string[]): string[] {
  const isShort = (word: string): boolean => word.length <= MAX_WORD;
  const cut = words.every(isShort)
    ? words
    : words.map((word) => (isShort(word) ? word : word.slice(0, MAX_WORD).toWellFormed()));
  return [...new Set(cut)];
}
