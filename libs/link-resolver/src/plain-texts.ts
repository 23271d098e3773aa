import { removePlaceholders } from './remove-placeholders.ts';

/**
 * A plain text of a post (title, excerpt, meta field, …), or its labels, as it is made public: placeholders belong into
 * content only, and are taken out of all else in every spelling, as those that lead nowhere are. A label of which
 * nothing is left goes.
 */
export function withoutPlaceholders(text: string): string;
export function withoutPlaceholders(text: string | null): string | null;
export function withoutPlaceholders(labels: readonly string[]): string[];
export function withoutPlaceholders(text: string | null | readonly string[]): string | null | string[] {
  if (text === null) return null;
  if (typeof text === 'string') return cleaned(text);
  return text.map(cleaned).filter((label, index) => label !== '' || text[index] === '');
}

/**
 * An address as it is made public: one with a placeholder, in any spelling, is none. Taking it out would leave the
 * address of something else.
 */
export function urlWithoutPlaceholders(url: string | null): string | null {
  return url === null || removePlaceholders(url) !== url ? null : url;
}

function cleaned(text: string): string {
  const kept = removePlaceholders(text);
  return kept === text ? text : kept.replace(/\s+/g, ' ').trim();
}

/** Controls, white space, and what is not drawn: zero-width characters, direction marks, fillers. */
const UNSEEN = /[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const showsNothing = (text: string): boolean => text.replace(UNSEEN, '') === '';

/** Why readers would see nothing of a text, as the message of a field; null when they see something. */
export function whyNothingShows(text: string): string | null {
  if (!showsNothing(withoutPlaceholders(text))) return null;
  return showsNothing(text)
    ? 'must have a visible character'
    : 'must have text besides link placeholders, which are not published';
}
