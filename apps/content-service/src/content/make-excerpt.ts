import { compileContent, resolveLinks } from '@blog-content/link-resolver';
import { paragraphTexts } from './plain-text.ts';

const MAX_EXCERPT = 300;
/** Enough, in characters, for the first paragraphs of nearly every post. */
const FIRST_READ = 8_000;
/** Most characters that are read, so that it takes milliseconds whatever the content. */
const MAX_READ = 32_000;

/**
 * A plain-text summary made from the first paragraphs, as far as 300 characters allow: cut at a word boundary with `…`
 * (contract "Content"). Link placeholders leave only their text. Reads no more than it needs of HTML that begins with
 * paragraphs, and nothing beyond the first 32,000 characters.
 */
export function makeExcerpt(html: string): string {
  if (html.length > FIRST_READ) {
    // Nothing is cut in two but the last paragraph, which is left out.
    const text = readableParagraphs(beginningOf(html, FIRST_READ)).slice(0, -1).join(' ');
    if (text.length > MAX_EXCERPT) return cutAtWord(text, MAX_EXCERPT);
  }
  return cutAtWord(readableParagraphs(beginningOf(html, MAX_READ)).join(' '), MAX_EXCERPT);
}

/** To where a tag begins. */
function beginningOf(html: string, length: number): string {
  return html.length <= length ? html : html.slice(0, Math.max(html.lastIndexOf('<', length), 0));
}

function readableParagraphs(html: string): string[] {
  const readable = resolveLinks(compileContent(html), { siteUrl: null, targets: new Map(), self: '' });
  return paragraphTexts(readable);
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
