import { Parser } from 'htmlparser2';
import { excessOf } from './html-limits.ts';

/** What people read of a page. */
export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** Elements whose text is none of the page's own: navigation, scripts, forms. */
const UNREAD = new Set(
  'aside button canvas footer form head header iframe nav noscript object script select style svg template textarea'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  'address article blockquote br caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li main ol p pre section summary table td th tr ul'.split(
    ' ',
  ),
);
/** The page's own part, where it says which that is. */
const MAIN = new Set(['article', 'main']);
/** Shorter than this it is taken for a teaser, and the whole page is read. */
const MIN_MAIN = 200;
/** Most characters that are kept. */
const MAX_PAGE_TEXT = 200_000;

/**
 * The text of a page, a line for each block; of its article or main part, where it has one. Pages beyond the limits of
 * a post's HTML are refused, with a clause: parsing takes time by how deep elements are nested.
 */
export function readPage({ html }: { readonly html: string }): PageText | { readonly refused: string } {
  const excess = excessOf(html);
  if (excess !== null) return { refused: excess };
  let [title, all, main] = ['', '', ''];
  let [unread, inMain] = [0, 0];
  let isTitle = false;
  const add = (text: string) => {
    if (all.length < MAX_PAGE_TEXT) all += text;
    if (inMain > 0 && main.length < MAX_PAGE_TEXT) main += text;
  };
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'title') isTitle = title === '';
        if (UNREAD.has(name)) unread += 1;
        if (MAIN.has(name)) inMain += 1;
        if (BLOCKS.has(name)) add('\n');
      },
      ontext(text) {
        if (isTitle) title += text;
        else if (unread === 0) add(text.replace(/\s+/g, ' '));
      },
      onclosetag(name) {
        if (name === 'title') isTitle = false;
        if (UNREAD.has(name)) unread -= 1;
        if (MAIN.has(name)) inMain -= 1;
        if (BLOCKS.has(name)) add('\n');
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { title: title.replace(/\s+/g, ' ').trim(), text: tidy(main.length >= MIN_MAIN ? main : all) };
}

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join('\n');
