import { withoutPlaceholders } from '@blog-content/link-resolver';
import { storableText } from '@blog-content/service-runtime';

/**
 * A writer's text as one line of plain text: without link placeholders, in no spelling, and without the marks that
 * models like to put around words.
 */
export function plain(text: string, maxLength: number): string {
  const unmarked = storableText(text).replace(/\*\*|__|`+/g, '');
  return withoutPlaceholders(unmarked).replace(/\s+/g, ' ').trim().slice(0, maxLength).toWellFormed();
}

/** What separates two sentences: a terminator within a word or a number, as in `93.5`, ends none. */
const BETWEEN_SENTENCES = /(?<=[.!?…]["'”’»)]{0,3})\s+/u;

/** The sentences of a text, in a time that grows with its length. */
export function sentencesOf(text: string): string[] {
  return text
    .split(BETWEEN_SENTENCES)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Words that say nothing about what a text is about: short ones, mostly. */
const COMMON = new Set(
  'the and for with from that this your you our are was were how what why when which into about over under than then them they their its his her not but can will all any out use using best guide tips der die das und für mit von den dem ein eine wie les des une pour avec dans sur que los las una para con por'.split(
    ' ',
  ),
);

/** How many terms two texts share. */
export function sharedTerms(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((term) => other.has(term)).length;
}

/** The words that a text is about. */
export function termsOf(text: string): Set<string> {
  return new Set(wordsOf(text).filter((word) => word.length > 2 && !COMMON.has(word)));
}
