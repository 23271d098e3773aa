import { INLINE, INLINE_ATOMS } from './elements.ts';

const VOID = new Set('br col hr img input source track'.split(' '));

/**
 * HTML that the service has cleaned, cut where its outermost blocks end. Words beside blocks are a piece of their own;
 * white space belongs to the piece before it. The pieces joined are the HTML. Null where tags do not match.
 */
export function splitBlocks(html: string): readonly string[] | null {
  const pieces: { html: string; isInline: boolean }[] = [];
  const open: string[] = [];
  let start = 0;
  const add = (end: number, isInline: boolean) => {
    const piece = html.slice(start, end);
    start = end;
    if (piece === '') return;
    const last = pieces.at(-1);
    if (last !== undefined && (/^[ \t\n\f\r]*$/.test(piece) || (isInline && last.isInline))) last.html += piece;
    else pieces.push({ html: piece, isInline });
  };
  for (const tag of html.matchAll(/<(\/?)([a-z][a-z\d]*)\b(?:[^<>"]|"[^"]*")*>/g)) {
    const [whole, slash, name = ''] = tag;
    const isInline = INLINE.has(name) || INLINE_ATOMS.has(name);
    if (open.length === 0) add(tag.index, true);
    if (slash === '/') {
      if (open.pop() !== name) return null;
    } else if (!VOID.has(name)) {
      open.push(name);
    }
    if (open.length === 0) add(tag.index + whole.length, isInline);
  }
  if (open.length > 0) return null;
  add(html.length, true);
  return pieces.map((piece) => piece.html);
}
