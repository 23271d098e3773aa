import { compileContent, resolveLinks } from '@blog-content/link-resolver';
import { paragraphTexts } from './plain-text.ts';

const MAX_EXCERPT = 300;
/** Enough, in characters, for the first paragraphs of nearly every post. */
const BEGINNING = 8_000;

/**
 * A plain-text summary made from the first paragraphs: at most 300 characters, cut at a word boundary with `…` (decisions
 * "Content"). Link placeholders leave only their text. Reads no more than it needs of HTML that begins with paragraphs.
 */
export function makeExcerpt(html: string): string {
  if (html.length > BEGINNING) {
    // To where a tag begins, so that nothing is cut in two but the last paragraph, which is left out.
    const end = html.lastIndexOf('<', BEGINNING);
    const { text, isFull } = summarize(readableParagraphs(html.slice(0, Math.max(end, 0))).slice(0, -1));
    if (isFull) return text;
  }
  return summarize(readableParagraphs(html)).text;
}

function readableParagraphs(html: string): string[] {
  return paragraphTexts(resolveLinks(compileContent(html), { siteUrl: null, targets: new Map(), self: '' }));
}

/** The summary, and whether further paragraphs would change nothing about it. */
function summarize(paragraphs: readonly string[]): { readonly text: string; readonly isFull: boolean } {
  let excerpt = '';
  for (const paragraph of paragraphs) {
    const longer = excerpt === '' ? paragraph : `${excerpt} ${paragraph}`;
    if (excerpt !== '' && longer.length > MAX_EXCERPT) return { text: excerpt, isFull: true };
    excerpt = longer;
    if (excerpt.length >= MAX_EXCERPT) return { text: cutAtWord(excerpt, MAX_EXCERPT), isFull: true };
  }
  return { text: excerpt, isFull: false };
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
