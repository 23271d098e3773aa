import { findPlaceholders } from './find-placeholders.ts';
import { removeOpeners } from './remove-openers.ts';
import type { SpellingStack } from './spelling-stack.ts';

/**
 * Removes whole placeholders from text in which none can become a link, and whatever that brings together.
 *
 * @param reused a stack whose entries nobody needs any more.
 */
export function removePlaceholders(text: string, reused?: SpellingStack): string {
  const kept: string[] = [];
  let position = 0;
  for (const { start, end } of findPlaceholders(text, reused)) {
    kept.push(text.slice(position, start));
    position = end;
  }
  if (position === 0) return text;
  kept.push(text.slice(position));
  return removeOpeners(kept.join(''));
}
