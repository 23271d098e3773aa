import { Parser } from 'htmlparser2';

interface Element {
  readonly name: string;
  readonly start: number;
  end: number;
  /** Something is left in it once the images are gone. */
  filled: boolean;
  /** How many of the images it holds. */
  images: number;
}

const WRAPPERS = new Set(['p', 'figure', 'a', 'picture']);
/** What an element that is empty may have in it. */
const SHOWS_NOTHING = new Set(['source', 'br']);

/**
 * Takes images out of HTML, with the `p`, `figure`, `a` or `picture` around each when nothing but line breaks is left in
 * it. All other bytes stay as they are.
 *
 * @param isTaken whether an image with these attributes goes.
 */
export function removeImages(html: string, isTaken: (attributes: Readonly<Record<string, string>>) => boolean): string {
  const cuts: { start: number; end: number }[] = [];
  const open: Element[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, start: parser.startIndex, end: parser.endIndex + 1, filled: false, images: 0 };
        if (name === 'img' && isTaken(attributes)) {
          cuts.push({ start: element.start, end: element.end });
          element.images = 1;
        } else if (!WRAPPERS.has(name) && !SHOWS_NOTHING.has(name)) {
          element.filled = true;
        }
        open.push(element);
      },
      ontext(text) {
        const parent = open.at(-1);
        if (parent && /\S/.test(text)) parent.filled = true;
      },
      onclosetag(name) {
        const element = open.pop();
        if (!element || element.name !== name) return;
        element.end = Math.max(element.end, parser.endIndex + 1);
        const parent = open.at(-1);
        if (WRAPPERS.has(name) && element.images > 0 && !element.filled) {
          cuts.push({ start: element.start, end: element.end });
        }
        if (!parent) return;
        parent.images += element.images;
        const isGone = element.images > 0 && !element.filled;
        if (!isGone && (element.filled || name === 'img' || WRAPPERS.has(name))) parent.filled = true;
      },
    },
    { decodeEntities: true, recognizeSelfClosing: false },
  );
  parser.end(html);
  return withoutCuts(html, cuts);
}

function withoutCuts(html: string, cuts: { start: number; end: number }[]): string {
  let kept = '';
  let from = 0;
  for (const { start, end } of cuts.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= from) kept += html.slice(from, start);
    from = Math.max(from, end);
  }
  return kept + html.slice(from);
}
