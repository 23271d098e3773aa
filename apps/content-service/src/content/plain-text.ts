import { Parser } from 'htmlparser2';

/** Elements whose beginning and end separate words; everything else is inline. */
const BLOCKS = new Set(
  'address article aside blockquote br dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const UNREAD = new Set(['script', 'style', 'template', 'noscript']);

/** The text of paragraphs, in document order; when there is no paragraph, all text as one. White space is collapsed. */
export function paragraphTexts(html: string): string[] {
  const paragraphs: string[] = [];
  let all = '';
  let paragraph: string | null = null;
  let unread = 0;
  const parser = new Parser(
    {
      onopentag(name) {
        if (UNREAD.has(name)) unread += 1;
        if (BLOCKS.has(name)) add(' ');
        if (name === 'p') paragraph = '';
      },
      ontext(text) {
        if (unread === 0) add(text);
      },
      onclosetag(name) {
        if (UNREAD.has(name)) unread -= 1;
        if (BLOCKS.has(name)) add(' ');
        if (name === 'p' && paragraph !== null) {
          paragraphs.push(paragraph);
          paragraph = null;
        }
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  const texts = (paragraphs.some(hasText) ? paragraphs : [all]).map(collapse);
  return texts.filter((text) => text !== '');

  function add(text: string): void {
    all += text;
    if (paragraph !== null) paragraph += text;
  }
}

function hasText(text: string): boolean {
  return /\S/.test(text);
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
