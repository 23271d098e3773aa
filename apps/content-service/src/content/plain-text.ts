import { withoutPlaceholders } from '@blog-content/link-resolver';
import { Parser } from 'htmlparser2';

/** Elements whose beginning and end separate words; everything else is inline. */
const BLOCKS = new Set(
  'address article aside blockquote br dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const UNREAD = new Set(['script', 'style', 'template', 'noscript']);
/** Characters of HTML parsed between two looks at whether more is to be read. */
const CHUNK_LENGTH = 4_096;

/** How far a text is read, in UTF-16 units. */
export interface ReadingLimits {
  /** Once paragraphs have more than this, nothing behind them is read. */
  readonly enough: number;
  /** Most text that is read, also of what is in no paragraph. */
  readonly most: number;
}

/**
 * The text of the first paragraphs, in document order; when no paragraph has text, all text as one. White space is
 * collapsed, and placeholders are taken out. Tags count for nothing, however long they are.
 */
export function paragraphTexts(html: string, { enough, most }: ReadingLimits): string[] {
  const paragraphs: string[] = [];
  let all = '';
  let paragraph: string | null = null;
  let unread = 0;
  let found = 0;
  let room = most;
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
  for (let at = 0; at < html.length && found <= enough && !isCut; at += CHUNK_LENGTH) {
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
    return kept.length > enough ? kept : kept.slice(0, Math.max(kept.lastIndexOf(' '), 0));
  }
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
