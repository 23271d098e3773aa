import { parseHtml } from '../../document/elements.ts';
import { makeWordLists } from './word-lists.ts';

/**
 * HTML from the clipboard without the looks that other programs give it: styles, classes, ids and their wrappers. What
 * was copied here stays as it is. `lostImages` counts those that only that program or this device has.
 */
export function cleanPasted(html: string): { readonly html: string; readonly lostImages: number } {
  if (html.includes('data-pm-slice')) return { html, lostImages: 0 };
  const root = parseHtml(html);
  const lost = [...root.querySelectorAll('img')].filter((image) => hasOtherScheme(image.getAttribute('src')));
  for (const image of lost) image.remove();
  const targets = keepTargets(root);
  for (const link of root.querySelectorAll('a')) {
    if (hasOtherScheme(link.getAttribute('href'))) link.replaceWith(...link.childNodes);
  }
  for (const element of root.querySelectorAll('style, script, meta, link, title, object, template')) element.remove();
  // Word's own elements, such as `o:p`, say nothing.
  for (const element of [...root.querySelectorAll('*')].filter(({ localName }) => localName.includes(':'))) {
    element.replaceWith(...element.childNodes);
  }
  makeWordLists(root);
  // Word processors write headings, bold and italics as styles only.
  for (const bold of root.querySelectorAll<HTMLElement>('b, strong')) {
    if (/^(?:normal|[1-4]00)$/.test(bold.style.fontWeight)) bold.replaceWith(...bold.childNodes);
  }
  for (const span of root.querySelectorAll<HTMLElement>('span')) {
    const { fontWeight, fontStyle, verticalAlign, textDecoration } = span.style;
    const around: string[] = [];
    if (/^(?:bold|[6-9]00)$/.test(fontWeight)) around.push('strong');
    if (fontStyle === 'italic') around.push('em');
    if (verticalAlign === 'super') around.push('sup');
    if (verticalAlign === 'sub') around.push('sub');
    if (textDecoration.includes('line-through')) around.push('s');
    // Of links it is how they look anywhere.
    if (textDecoration.includes('underline') && !span.closest('a')) around.push('u');
    let inner: Node[] = [...span.childNodes];
    for (const name of around) {
      const element = root.ownerDocument.createElement(name);
      element.append(...inner);
      inner = [element];
    }
    span.replaceWith(...inner);
  }
  for (const element of root.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) {
      if (!isKept(element, name) && !(name === 'id' && targets.has(element.id))) element.removeAttribute(name);
    }
  }
  for (const heading of root.querySelectorAll('h1')) rename(heading, 'h2');
  for (const heading of root.querySelectorAll('h5, h6')) rename(heading, 'h4');
  return { html: root.innerHTML, lostImages: lost.length };
}

/**
 * Places that links of the same text lead to, such as the footnotes of Word, which names its places by anchors and
 * puts the document's own path before them.
 */
function keepTargets(root: HTMLElement): ReadonlySet<string> {
  for (const anchor of root.querySelectorAll('a[name]')) {
    if (anchor.id === '') anchor.id = anchor.getAttribute('name') ?? '';
  }
  const ids = new Set([...root.querySelectorAll('[id]')].map(({ id }) => id));
  const found = new Set<string>();
  for (const link of root.querySelectorAll('a[href*="#"]')) {
    const href = link.getAttribute('href') ?? '';
    const [path = '', ...rest] = href.split('#');
    const id = rest.join('#');
    if (!ids.has(id) || (path !== '' && !/^file:/i.test(path))) continue;
    link.setAttribute('href', `#${id}`);
    found.add(id);
  }
  return found;
}

/** Whether the service would take the address away when it saves. */
const hasOtherScheme = (address: string | null) =>
  /^\s*(?!(?:https?|mailto|tel):)[a-z][a-z\d+.-]*:/i.test(address ?? '');

const KEPT = new Set(
  'alt cite colspan datetime height href reversed rowspan scope src start title type width'.split(' '),
);

/** Of classes only the one that names the language of code. */
const isKept = (element: Element, name: string) =>
  KEPT.has(name) || (name === 'class' && element.localName === 'code' && /^language-[\w+-]+$/.test(element.className));

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}
