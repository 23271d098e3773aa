import { removePlaceholders } from './remove-placeholders.ts';
import { SpellingStack } from './spelling-stack.ts';

type PlainText = string | null | readonly string[];

/**
 * The plain texts of a post (title, excerpt, meta fields, labels, …) as they are made public: placeholders belong into
 * content only, and are taken out of all else in every spelling, as those that lead nowhere are. A label of which
 * nothing is left goes.
 */
export function withoutPlaceholders<Texts extends Readonly<Record<string, PlainText>>>(texts: Texts): Texts {
  // One for all: a list of posts has ten thousand labels.
  const stack = new SpellingStack();
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, cleaned(text, stack)])) as Texts;
}

/**
 * An address as it is made public: one with a placeholder, in any spelling, is none. Taking it out would leave the
 * address of something else.
 */
export function urlWithoutPlaceholders(url: string | null): string | null {
  return url === null || removePlaceholders(url) !== url ? null : url;
}

function cleaned(text: PlainText, stack: SpellingStack): PlainText {
  if (text === null) return null;
  if (typeof text === 'string') return cleanedText(text, stack);
  return text.map((label) => cleanedText(label, stack)).filter((label, index) => label !== '' || text[index] === '');
}

function cleanedText(text: string, stack: SpellingStack): string {
  const kept = removePlaceholders(text, stack);
  return kept === text ? text : kept.replace(/\s+/g, ' ').trim();
}
