import { compileContent, resolveLinks } from '@blog-content/link-resolver';
import { paragraphTexts } from './plain-text.ts';

const MAX_EXCERPT = 300;

/**
 * A plain-text summary made from the first paragraphs: at most 300 characters, cut at a word boundary with `…` (decisions
 * "Content"). Link placeholders leave only their text.
 */
export function makeExcerpt(html: string): string {
  const readable = resolveLinks(compileContent(html), { siteUrl: null, targets: new Map(), self: '' });
  let excerpt = '';
  for (const paragraph of paragraphTexts(readable)) {
    const longer = excerpt === '' ? paragraph : `${excerpt} ${paragraph}`;
    if (excerpt !== '' && longer.length > MAX_EXCERPT) break;
    excerpt = longer;
    if (excerpt.length >= MAX_EXCERPT) break;
  }
  return cutAtWord(excerpt, MAX_EXCERPT);
}

/** At most `length` characters, cut between words with `…` when something is left out. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const room = text.slice(0, length - 1);
  const endsWithWord = /\s/.test(text.charAt(length - 1));
  const lastSpace = room.search(/\s\S*$/);
  const kept = endsWithWord || lastSpace <= 0 ? room : room.slice(0, lastSpace);
  return `${kept
    .trimEnd()
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}
