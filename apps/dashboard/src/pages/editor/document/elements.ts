import { withoutEventHandlers } from './event-handlers.ts';

/**
 * What the service's cleaning allows (docs/contract.md, "Content"), by what it is to the editor. An element that is
 * missing here is kept as raw HTML.
 */

/** Inline elements whose text the editor writes in; each is a mark. */
export const INLINE = new Set(
  'a abbr b cite code del em i ins kbd mark q s samp small span strong sub sup time u var'.split(' '),
);

/** Inline elements that are one thing, with nothing in them to write in. */
export const INLINE_ATOMS = new Set('audio br iframe img input picture ruby video'.split(' '));

/** Blocks around other blocks that have no commands of their own. */
export const BOXES = new Set('details div dd dl dt figcaption figure summary'.split(' '));

/** Blocks that may hold words without a paragraph around them. */
export const HOLD_WORDS = new Set([...BOXES, 'blockquote', 'li', 'td', 'th']);

/** Whether the node is inline. */
export function isInline(node: Node): boolean {
  if (node.nodeType === Node.TEXT_NODE) return true;
  if (!(node instanceof Element)) return false;
  const name = node.localName;
  return INLINE.has(name) || INLINE_ATOMS.has(name);
}

/** Whether an inline element shows nothing: an anchor, or an icon that a style draws. No text can carry its mark. */
export function isEmptyInline(element: Element): boolean {
  return INLINE.has(element.localName) && element.textContent === '' && element.querySelector(ATOMS) === null;
}

const ATOMS = [...INLINE_ATOMS].join(',');

let inert: Document | undefined;

/** Parses HTML, without its event handlers, in a document that is not shown: nothing of it runs or is loaded. */
export function parseHtml(html: string): HTMLElement {
  inert ??= document.implementation.createHTMLDocument();
  const body = inert.createElement('body');
  body.innerHTML = withoutEventHandlers(html);
  return body;
}

/** The HTML of an element's contents. Parsers drop the first line break of a `pre`, so that it is doubled. */
export function writeHtml(root: Element): string {
  for (const pre of root.querySelectorAll('pre')) {
    if (pre.textContent.startsWith('\n')) pre.prepend('\n');
  }
  return root.innerHTML;
}
