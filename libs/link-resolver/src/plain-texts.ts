import { removePlaceholders } from './remove-placeholders.ts';

type PlainText = string | null | readonly string[];

/**
 * The plain texts of a post (title, excerpt, meta fields, labels, …) as they are made public: placeholders belong into
 * content only, and are taken out of all else in every spelling, as those that lead nowhere are. A label of which
 * nothing is left goes.
 */
export function withoutPlaceholders<Texts extends Readonly<Record<string, PlainText>>>(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, cleaned(text)])) as Texts;
}

/**
 * An address as it is made public: one with a placeholder, in any spelling, is none. Taking it out would leave the
 * address of something else.
 */
export function urlWithoutPlaceholders(url: string | null): string | null {
  return url === null || removePlaceholders(url) !== url ? null : url;
}

function cleaned(text: PlainText): PlainText {
  if (text === null) return null;
  if (typeof text === 'string') return cleanedText(text);
  return text.map(cleanedText).filter((label, index) => label !== '' || text[index] === '');
}

function cleanedText(text: string): string {
  const kept = removePlaceholders(text);
  return kept === text ? text : kept.replace(/\s+/g, ' ').trim();
}
