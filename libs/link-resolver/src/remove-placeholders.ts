import { findPlaceholders } from './find-placeholders.ts';
import { removeOpeners } from './remove-openers.ts';

/** Removes whole placeholders from text in which none can become a link, and those that this forms. */
export function removePlaceholders(text: string): string {
  const kept: string[] = [];
  let position = 0;
  for (const { start, end } of findPlaceholders(text)) {
    kept.push(text.slice(position, start));
    position = end;
  }
  if (position === 0) return text;
  kept.push(text.slice(position));
  return removeOpeners(kept.join(''));
}
