/**
 * Longest `excerpt_short`, the ellipsis included, in characters (Unicode code points; contract §2.5 says roughly 256).
 */
const MAX_EXCERPT_SHORT = 256;
/** A character has one UTF-16 unit or two. */
const MAX_UNITS = 2;

/** The excerpt when it is short enough, else its beginning up to a word boundary, with `…` (contract "Content"). */
export function cutExcerpt(excerpt: string): string {
  const characters = [...excerpt.slice(0, (MAX_EXCERPT_SHORT + 1) * MAX_UNITS)];
  if (characters.length <= MAX_EXCERPT_SHORT) return excerpt;
  // One character is for the ellipsis; the one after the cut tells whether the cut itself is a word boundary.
  const head = characters.slice(0, MAX_EXCERPT_SHORT);
  const boundary = /^(.*\S)\s/su.exec(head.join(''))?.[1];
  return `${boundary ?? head.slice(0, -1).join('')}…`;
}

/** At most so many UTF-16 units of a text from its beginning, no character cut in two. */
export function cut(text: string, maxUnits: number): string {
  // Through a surrogate pair it would leave half a character.
  return text.length <= maxUnits ? text : text.slice(0, maxUnits).replace(/[\uD800-\uDBFF]$/, '');
}
