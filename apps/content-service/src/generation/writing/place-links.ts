import { tokenizeHtml } from '@blog-content/link-resolver';
import { escapeHtml } from './plain.ts';

/** A link to a published post, and the words that it stands on. */
export interface LinkPlacement {
  readonly slug: string;
  readonly title: string;
  readonly anchor: string;
}

/** Where no link goes: in other links, and in headings. */
const CLOSED = new Set(['a', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'code', 'pre']);
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Makes links of the first words of the text that are an anchor, as placeholders. Each anchor is placed once, and only
 * where it stands as whole words outside of links and headings.
 */
export function placeLinks(
  html: string,
  wanted: readonly LinkPlacement[],
): { readonly html: string; readonly placed: readonly LinkPlacement[] } {
  let result = html;
  const placed: LinkPlacement[] = [];
  for (const link of wanted) {
    const at = findAnchor(result, escapeHtml(link.anchor));
    if (at === null) continue;
    result = `${result.slice(0, at.start)}<a href="[INTERNAL:${link.slug}]">${result.slice(at.start, at.end)}</a>${result.slice(at.end)}`;
    placed.push(link);
  }
  return { html: result, placed };
}

function findAnchor(html: string, anchor: string): { readonly start: number; readonly end: number } | null {
  if (anchor === '') return null;
  const lower = anchor.toLowerCase();
  let closed = 0;
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'tag' && CLOSED.has(token.name)) closed += token.closing ? -1 : 1;
    if (token.kind !== 'text' || closed > 0) continue;
    const text = html.slice(token.start, token.end);
    const found = text.toLowerCase();
    // Of a few letters the small one is longer.
    if (found.length !== text.length) continue;
    for (let at = found.indexOf(lower); at !== -1; at = found.indexOf(lower, at + 1)) {
      const end = at + lower.length;
      // Not in the middle of a character reference, such as &amp;.
      const isWhole = !/[\p{L}\p{N}&#]/u.test(text[at - 1] ?? ' ') && !LETTER.test(text[end] ?? ' ');
      if (isWhole) return { start: token.start + at, end: token.start + end };
    }
  }
  return null;
}
