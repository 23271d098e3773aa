import { HOLD_WORDS, isInline } from './elements.ts';
import { OWN } from './kept-attributes.ts';

/**
 * The editor's documents hold words in paragraphs only; posts have them in list items, cells and captions, too. Before
 * parsing each such run of words gets a paragraph that is marked `yes`; a paragraph of the post itself is `no`. One
 * that is made while writing has neither.
 */
export const LOOSE = `${OWN}loose`;

const HOLDERS = [...HOLD_WORDS].join(',');

export function wrapLooseWords(root: Element): void {
  for (const paragraph of root.querySelectorAll('p')) paragraph.setAttribute(LOOSE, 'no');
  for (const holder of [root, ...root.querySelectorAll(HOLDERS)]) wrapIn(holder);
}

function wrapIn(holder: Element): void {
  let run: Node[] = [];
  const close = () => {
    const first = run[0];
    if (first && run.some((node) => node instanceof Element || /[^ \t\n\f\r]/.test(node.textContent ?? ''))) {
      const paragraph = holder.ownerDocument.createElement('p');
      paragraph.setAttribute(LOOSE, 'yes');
      holder.insertBefore(paragraph, first);
      paragraph.append(...run);
    }
    run = [];
  };
  for (const node of [...holder.childNodes]) {
    if (isInline(node)) run.push(node);
    else close();
  }
  close();
}

/** In these a new paragraph is written without `<p>` where it is the only one. */
const TIGHT = new Set('dd dt figcaption li summary td th'.split(' '));

/** Takes the paragraphs off that {@link wrapLooseWords} put on, and those of new list items, cells and captions. */
export function unwrapLooseWords(root: Element): void {
  const loose = [...root.querySelectorAll('p')].filter(isLoose);
  for (const paragraph of loose) {
    const before = paragraph.previousSibling;
    // Two runs of words beside each other would become one.
    if (before === null || !isInline(before)) paragraph.replaceWith(...paragraph.childNodes);
  }
}

function isLoose(paragraph: Element): boolean {
  const loose = paragraph.getAttribute(LOOSE);
  const parent = paragraph.parentElement;
  if (parent === null || loose === 'no' || [...paragraph.attributes].some(({ name }) => name !== LOOSE)) return false;
  if (loose === 'yes') return true;
  const siblings = [...parent.children].filter(({ localName }) => localName === 'p');
  const isListWithParagraphs = parent.parentElement?.querySelector(`:scope > li > p[${LOOSE}=no]`) != null;
  return TIGHT.has(parent.localName) && siblings.length === 1 && !isListWithParagraphs;
}
