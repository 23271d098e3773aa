/** Longest `excerpt_short`, the ellipsis included, in UTF-16 units (contract §2.5 says roughly 256). */
export const MAX_EXCERPT_SHORT = 256;

/** The excerpt when it is short enough, else its beginning up to a word boundary, with `…` (contract "Content"). */
export function cutExcerpt(excerpt: string): string {
  if (excerpt.length <= MAX_EXCERPT_SHORT) return excerpt;
  // One unit is for the ellipsis; the unit after the cut tells whether the cut itself is a word boundary.
  const head = excerpt.slice(0, MAX_EXCERPT_SHORT);
  const boundary = /^(.*\S)\s/su.exec(head)?.[1];
  if (boundary !== undefined) return `${boundary}…`;
  return `${cut(head, MAX_EXCERPT_SHORT - 1)}…`;
}

/** At most so many UTF-16 units of a text from its beginning, no character cut in two. */
export function cut(text: string, maxUnits: number): string {
  // Through a surrogate pair it would leave half a character.
  return text.length <= maxUnits ? text : text.slice(0, maxUnits).replace(/[\uD800-\uDBFF]$/, '');
}
