import { findPlaceholders } from './find-placeholders.ts';
import { spellings } from './spellings.ts';

/** What the `href` of a placeholder link says. */
interface ParsedTarget {
  readonly slug: string;
  /** The query and fragment, `?` and `#` included, as they were written in the attribute; empty when there are none. */
  readonly rest: string;
}

const FIRST = new RegExp(`^(?:(${spellings('?')})|${spellings('#')})`, 'i');

/**
 * Reads `[INTERNAL:slug]`, `[INTERNAL:slug]?query` or `[INTERNAL:slug]#fragment`, in any spelling.
 *
 * @param href the value as written between the quotes.
 * @returns null when it is anything else, a second placeholder included.
 */
export function parseLinkTarget(href: string): ParsedTarget | null {
  const [placeholder, ...others] = findPlaceholders(href);
  if (placeholder?.slug == null || others.length > 0) return null;
  if (href.slice(0, placeholder.start).trim() !== '') return null;
  const rest = href.slice(placeholder.end).trimEnd();
  const first = FIRST.exec(rest);
  if (first === null) return rest === '' ? { slug: placeholder.slug, rest } : null;
  return { slug: placeholder.slug, rest: (first[1] === undefined ? '#' : '?') + rest.slice(first[0].length) };
}
