import { parseHtml } from '../document/elements.ts';

/**
 * HTML from the clipboard without the looks that other programs give it: styles, classes, ids and their wrappers. What
 * was copied here stays as it is. `lostImages` counts those that only that program or this device has.
 */
export function cleanPasted(html: string): { readonly html: string; readonly lostImages: number } {
  if (html.includes('data-pm-slice')) return { html, lostImages: 0 };
  const root = parseHtml(html);
  const lost = [...root.querySelectorAll('img')].filter((image) => hasOtherScheme(image.getAttribute('src')));
  for (const image of lost) image.remove();
  for (const link of root.querySelectorAll('a')) {
    if (hasOtherScheme(link.getAttribute('href'))) link.replaceWith(...link.childNodes);
  }
  for (const element of root.querySelectorAll('style, script, meta, link, title, object, template')) element.remove();
  // Word processors write headings, bold and italics as styles only.
  for (const bold of root.querySelectorAll<HTMLElement>('b, strong')) {
    if (/^(?:normal|[1-4]00)$/.test(bold.style.fontWeight)) bold.replaceWith(...bold.childNodes);
  }
  for (const span of root.querySelectorAll<HTMLElement>('span')) {
    const { fontWeight, fontStyle, verticalAlign } = span.style;
    const around: string[] = [];
    if (/^(?:bold|[6-9]00)$/.test(fontWeight)) around.push('strong');
    if (fontStyle === 'italic') around.push('em');
    if (verticalAlign === 'super') around.push('sup');
    if (verticalAlign === 'sub') around.push('sub');
    let inner: Node[] = [...span.childNodes];
    for (const name of around) {
      const element = root.ownerDocument.createElement(name);
      element.append(...inner);
      inner = [element];
    }
    span.replaceWith(...inner);
  }
  for (const element of root.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (!KEPT.has(name)) element.removeAttribute(name);
  }
  for (const heading of root.querySelectorAll('h1')) rename(heading, 'h2');
  for (const heading of root.querySelectorAll('h5, h6')) rename(heading, 'h4');
  return { html: root.innerHTML, lostImages: lost.length };
}

/** Whether the service would take the address away when it saves. */
const hasOtherScheme = (address: string | null) =>
  /^\s*(?!(?:https?|mailto|tel):)[a-z][a-z\d+.-]*:/i.test(address ?? '');

const KEPT = new Set('alt cite colspan datetime height href reversed rowspan scope src start title width'.split(' '));

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}
