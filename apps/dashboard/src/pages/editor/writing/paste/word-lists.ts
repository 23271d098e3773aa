/** What Word says of an item: which list, how deep. */
const ITEM = /mso-list:\s*(l\d+)\s+level(\d+)/i;
const MARKER = /mso-list:\s*ignore/i;
/** Levels that Word has. */
const MAX_LEVEL = 9;

interface Item {
  readonly paragraph: Element;
  readonly list: string;
  readonly level: number;
  readonly kind: Kind;
}

/** How a list counts. */
interface Kind {
  readonly name: 'ul' | 'ol';
  readonly type: 'a' | 'A' | 'i' | 'I' | null;
  readonly start: number;
}

/**
 * Makes lists of the paragraphs that Word writes for items, with the bullet or the number as text in them. Items that
 * follow each other are in one list; deeper ones are in a list of the item before.
 */
export function makeWordLists(root: HTMLElement): void {
  for (const paragraph of root.querySelectorAll('p')) {
    const first = root.contains(paragraph) ? itemOf(paragraph) : null;
    if (first !== null) makeList(first);
  }
}

/** Moves an item, and those that follow it, into lists in the place of the first. */
function makeList(first: Item): void {
  const { ownerDocument } = first.paragraph;
  /** The lists that are open, the outermost first. */
  const open: { readonly level: number; readonly list: string; readonly name: string; readonly element: Element }[] =
    [];
  let place: ChildNode = first.paragraph;
  let last: Element | null = null;
  for (let item: Item | Element | null = first; item !== null;) {
    const paragraph: Element = item instanceof Element ? item : item.paragraph;
    const next = nextElement(paragraph);
    if (item instanceof Element) {
      last?.append(paragraph);
    } else {
      while (open.length > 0 && open.at(-1)!.level > item.level) open.pop();
      const same = open.at(-1);
      if (same?.level === item.level && (same.list !== item.list || same.name !== item.kind.name)) open.pop();
      let list = open.at(-1)?.level === item.level ? open.at(-1)!.element : null;
      if (list === null) {
        list = listElement(ownerDocument, item.kind);
        const parent = open.at(-1)?.element.lastElementChild;
        if (parent) parent.append(list);
        else {
          place.after(list);
          place = list;
        }
        open.push({ level: item.level, list: item.list, name: item.kind.name, element: list });
      }
      last = ownerDocument.createElement('li');
      last.append(...withoutMarker(paragraph));
      list.append(last);
      paragraph.remove();
    }
    item = next === null ? null : (itemOf(next) ?? (isContinued(next) ? next : null));
  }
}

function itemOf(element: Element): Item | null {
  const [, list = '', level = ''] = ITEM.exec(element.getAttribute('style') ?? '') ?? [];
  if (list === '' || element.localName !== 'p') return null;
  const marker = markersOf(element)
    .map(({ textContent }) => textContent)
    .join('');
  return { paragraph: element, list, level: Math.min(Number(level), MAX_LEVEL), kind: kindOf(marker) };
}

/** Whether a paragraph belongs to the item before it. */
const isContinued = (element: Element): boolean =>
  /^MsoListParagraphCxSp(?:Middle|Last)$/.test(element.className) && itemOf(element) === null;

/** The next element, if there is no text before it. */
function nextElement(element: Element): Element | null {
  for (let next = element.nextSibling; next !== null; next = next.nextSibling) {
    if (next instanceof Element) return next;
    if (next.nodeType === Node.TEXT_NODE && /\S/.test(next.textContent ?? '')) return null;
  }
  return null;
}

const markersOf = (paragraph: Element): Element[] =>
  [...paragraph.querySelectorAll('[style]')].filter((element) => MARKER.test(element.getAttribute('style') ?? ''));

function withoutMarker(paragraph: Element): readonly ChildNode[] {
  for (const marker of markersOf(paragraph)) marker.remove();
  return [...paragraph.childNodes];
}

/** By the bullet or number that Word shows. `i.` begins Roman numbers, since these are lists that begin with it. */
function kindOf(marker: string): Kind {
  const [, sign = ''] = /^[\s(]*([\da-z]+(?:\.\d+)*)[.):]/i.exec(marker) ?? [];
  if (sign === '') return { name: 'ul', type: null, start: 1 };
  if (/^\d/.test(sign)) return { name: 'ol', type: null, start: Number(sign.split('.').at(-1)) };
  const isUpper = sign === sign.toUpperCase();
  if (/^i+$/i.test(sign)) return { name: 'ol', type: isUpper ? 'I' : 'i', start: 1 };
  const start = sign.length === 1 ? sign.toLowerCase().charCodeAt(0) - 96 : 1;
  return { name: 'ol', type: isUpper ? 'A' : 'a', start };
}

function listElement(owner: Document, { name, type, start }: Kind): Element {
  const list = owner.createElement(name);
  if (type !== null) list.setAttribute('type', type);
  if (name === 'ol' && start !== 1) list.setAttribute('start', String(start));
  return list;
}
