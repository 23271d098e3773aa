import { paragraphTexts } from './plain-text.ts';

const MAX_EXCERPT = 300;
/** Most characters of text that are read, so that it takes milliseconds whatever the content. */
const MAX_READ = 32_000;
/** A character has one UTF-16 unit or two. */
const MAX_UNITS = 2;

/** The numbers of footnotes, as Markdown makes them: nothing of a summary leads to a note. */
const NOTE_SIGNS = /<sup class="footnote-ref"><a [^<>]{1,500}>\[[\d:]{1,12}\]<\/a><\/sup>/g;
/** Where footnotes begin, as Markdown, Hugo and Jekyll make them: behind the text. */
const NOTES = '<div class="footnotes"';

/**
 * A plain-text summary made from the first paragraphs, as far as 300 characters allow: cut at a word boundary with `…`
 * (contract §2.4.5). Link placeholders leave only their text, footnotes none. Reads no more than it needs of HTML that
 * begins with paragraphs, and nothing beyond the first 32,000 characters of text.
 */
export function makeExcerpt(html: string): string {
  const [text = ''] = html.split(NOTES, 1);
  const texts = paragraphTexts(text.replace(NOTE_SIGNS, ''), { enough: MAX_EXCERPT * MAX_UNITS, most: MAX_READ });
  return cutAtWord(texts.join(' '), MAX_EXCERPT);
}

/** At most `length` characters (Unicode code points), cut between words with `…` when something is left out. */
export function cutAtWord(text: string, length: number): string {
  const characters = [...text.slice(0, (length + 1) * MAX_UNITS)];
  if (characters.length <= length) return text;
  const room = characters.slice(0, length - 1).join('');
  const endsWithWord = /\s/.test(characters[length - 1] ?? '');
  const lastSpace = room.search(/\s\S*$/);
  const kept = endsWithWord || lastSpace <= 0 ? room : room.slice(0, lastSpace);
  return `${kept.trimEnd()}…`;
}
