/** Attributes of an element that the editor keeps without a meaning to it. */
export type KeptAttributes = Readonly<Record<string, string>>;

/** In the page a post's ids could be those of the page's own parts, so that they are put aside there. */
const ID = 'data-editor-id';
/** Browsers write styles in their own words; this is how the author wrote it. */
const STYLE = 'data-editor-style';
/** What the editor writes into elements for itself. */
export const OWN = 'data-editor-';

const ANYWHERE = new Set(['class', 'style', 'id', 'title', 'lang', 'dir', 'role']);
const OF_ELEMENT: Readonly<Record<string, readonly string[] | undefined>> = {
  a: ['href', 'target', 'rel', 'hreflang', 'download'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  th: ['colspan', 'rowspan', 'scope', 'abbr', 'headers'],
  td: ['colspan', 'rowspan', 'headers'],
  time: ['datetime'],
  q: ['cite'],
  blockquote: ['cite'],
  details: ['open'],
};

/**
 * The attributes that the cleaning allows on this element. Others do not come into the page; event handlers are not
 * even parsed (`parseHtml`).
 */
export function keptAttributes(element: Element, without: readonly string[] = []): KeptAttributes {
  const kept: Record<string, string> = {};
  for (const { name, value } of element.attributes) {
    if (name === ID) kept['id'] = value;
    else if (name === STYLE) kept['style'] = value;
    else if (name === 'style' && element.hasAttribute(STYLE)) continue;
    else if (isKept(element.localName, name) && !without.includes(name) && isSafe(name, value)) kept[name] = value;
  }
  return kept;
}

function isKept(element: string, name: string): boolean {
  if (name.startsWith(OWN)) return false;
  return ANYWHERE.has(name) || /^(?:data|aria)-/.test(name) || (OF_ELEMENT[element]?.includes(name) ?? false);
}

/** A link or an image never runs something. Placeholders of links have no scheme. */
function isSafe(name: string, value: string): boolean {
  if (name !== 'href' && name !== 'src' && name !== 'cite') return true;
  // Browsers pass over control characters and spaces in a scheme.
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(value.replace(/[\0-\x20]/g, ''))?.[1]?.toLowerCase();
  return scheme === undefined || ['http', 'https', 'mailto', 'tel'].includes(scheme);
}

/** The attributes for the page. */
export function shownAttributes({ id, ...others }: KeptAttributes): KeptAttributes {
  return {
    ...others,
    ...(id !== undefined && { [ID]: id }),
    ...(others['style'] !== undefined && { [STYLE]: others['style'] }),
  };
}

/** Takes the editor's own attributes out of what it has written. */
export function takeOutOwn(root: Element): void {
  for (const element of root.querySelectorAll('*')) {
    const id = element.getAttribute(ID);
    const style = element.getAttribute(STYLE);
    for (const { name } of [...element.attributes]) if (name.startsWith(OWN)) element.removeAttribute(name);
    if (id !== null) element.setAttribute('id', id);
    if (style !== null) element.setAttribute('style', style);
  }
}
