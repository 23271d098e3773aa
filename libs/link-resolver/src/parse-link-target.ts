import { findPlaceholders } from './find-placeholders.ts';
import type { SpellingStack } from './spelling-stack.ts';

/** What the `href` of a placeholder link says. */
interface ParsedTarget {
  readonly slug: string;
  /** The query and fragment, `?` and `#` included, as they were written in the attribute; empty when there are none. */
  readonly rest: string;
}

const SEMICOLON = 0x3b;

/**
 * Reads `[INTERNAL:slug]`, `[INTERNAL:slug]?query` or `[INTERNAL:slug]#fragment`, in any spelling.
 *
 * @param href the value as written between the quotes.
 * @param reused a stack whose entries nobody needs any more.
 * @returns null when it is anything else, a second placeholder included.
 */
export function parseLinkTarget(href: string, reused: SpellingStack): ParsedTarget | null {
  const [placeholder, ...others] = findPlaceholders(href, reused);
  if (placeholder?.slug == null || others.length > 0) return null;
  if (href.slice(0, placeholder.start).trim() !== '') return null;
  const rest = href.slice(placeholder.end).trimEnd();
  if (rest === '') return { slug: placeholder.slug, rest };
  const first = readFirstCharacter(rest, reused);
  if (first.character !== '?' && first.character !== '#') return null;
  return { slug: placeholder.slug, rest: first.character + rest.slice(first.end) };
}

/** The first character that the text spells, and where the next one begins. */
function readFirstCharacter(text: string, stack: SpellingStack): { readonly character: string; readonly end: number } {
  stack.truncate(0);
  let end = 0;
  do {
    stack.push(text.charCodeAt(end), end);
    end += 1;
  } while (end < text.length && !stack.isSettled);
  if (stack.takesSemicolon && text.charCodeAt(end) === SEMICOLON) end += 1;
  return { character: stack.length === 1 ? String.fromCodePoint(stack.top) : '', end };
}
