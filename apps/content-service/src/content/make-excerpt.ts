import { withoutPlaceholders } from '@blog-content/link-resolver';
import { Parser } from 'htmlparser2';

const MAX_EXCERPT = 300;
/** A character has one UTF-16 unit or two. */
const MAX_UNITS = 2;
/** Once paragraphs have more text than this, nothing behind them is read. */
const ENOUGH = MAX_EXCERPT * MAX_UNITS;
/** Most text that is read, also of what is in no paragraph, so that it takes milliseconds for any content. */
const MAX_READ = 32_000;

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
  return cutAtWord(paragraphTexts(text.replace(NOTE_SIGNS, '')).join(' '), MAX_EXCERPT);
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

/** Elements whose beginning and end separate words; everything else is inline. */
const BLOCKS = new Set([
  ...'address article aside blockquote br dd details div dl dt figcaption figure footer form'.split(' '),
  ...'h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary'.split(' '),
  ...'table tbody td tfoot th thead tr ul'.split(' '),
]);
const UNREAD = new Set(['script', 'style', 'template', 'noscript']);
/** Characters of HTML parsed between two looks at whether more is to be read. */
const CHUNK_LENGTH = 4_096;

/**
 * The text of the first paragraphs, in document order; when no paragraph has text, all text as one. White space is
 * collapsed, and placeholders are taken out. Tags count for nothing, however long they are.
 */
function paragraphTexts(html: string): string[] {
  const paragraphs: string[] = [];
  let all = '';
  let paragraph: string | null = null;
  let unread = 0;
  let found = 0;
  let room = MAX_READ;
  let isCut = false;
  const parser = new Parser(
    {
      // Not onopentag, which takes a moment for each attribute.
      onopentagname(name) {
        if (UNREAD.has(name)) unread += 1;
        if (BLOCKS.has(name)) add(' ');
        if (name === 'p') paragraph = '';
      },
      ontext(text) {
        if (unread > 0) return;
        add(text.slice(0, room));
        isCut ||= text.length > room;
        room -= text.length;
      },
      onclosetag(name) {
        if (UNREAD.has(name)) unread -= 1;
        if (BLOCKS.has(name)) add(' ');
        if (name === 'p' && paragraph !== null) {
          const text = plain(paragraph);
          if (text !== '') paragraphs.push(text);
          found += text.length;
          paragraph = null;
        }
      },
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length && found <= ENOUGH && !isCut; at += CHUNK_LENGTH) {
    parser.write(html.slice(at, at + CHUNK_LENGTH));
  }
  parser.end();
  return paragraphs.length > 0 ? paragraphs : [plain(all)].filter(Boolean);

  function add(text: string): void {
    if (isCut) return;
    all += text;
    if (paragraph !== null) paragraph += text;
  }

  function plain(text: string): string {
    if (!isCut) return withoutPlaceholders(collapse(text));
    // The bracket ends a placeholder that was cut in two, so that all of it goes. The last word may be cut, too.
    const kept = withoutPlaceholders(collapse(`${text}]`));
    return kept.length > ENOUGH ? kept : kept.slice(0, Math.max(kept.lastIndexOf(' '), 0));
  }
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
