import { findPlaceholders } from './find-placeholders.ts';

/**
 * Writes other slugs into placeholders, in every spelling, and keeps everything else byte for byte. All are renamed at
 * the same time: `a` to `b` and `b` to `c` never makes `c` of an `a`. Works on HTML and on Markdown, in linear time.
 *
 * @param slugs the new slug by the one that placeholders name.
 */
export function renamePlaceholders(text: string, slugs: ReadonlyMap<string, string>): string {
  if (slugs.size === 0) return text;
  const pieces: string[] = [];
  let position = 0;
  for (const { slug, slugStart, slugEnd } of findPlaceholders(text)) {
    const renamed = slug === null ? undefined : slugs.get(slug);
    if (renamed === undefined || renamed === slug) continue;
    pieces.push(text.slice(position, slugStart), renamed);
    position = slugEnd;
  }
  return position === 0 ? text : pieces.join('') + text.slice(position);
}

/** The distinct slugs that placeholders name, in HTML or Markdown, in the order of their first appearance. */
export function namedSlugs(text: string): string[] {
  return [...new Set(findPlaceholders(text).flatMap(({ slug }) => slug ?? []))];
}
