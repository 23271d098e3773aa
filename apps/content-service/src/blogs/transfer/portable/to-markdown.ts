import TurndownService from 'turndown';
import { headingIds } from '../../../content/markdown-syntax/heading-ids.ts';
import { withoutEmptyLines } from '../posts/html-in-markdown.ts';

/** What is asked of an element of the tree that is converted. */
interface Element {
  readonly nodeName: string;
  readonly outerHTML: string;
  readonly textContent: string;
  readonly children: ArrayLike<Element>;
  readonly parentNode: Element | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): ArrayLike<Element>;
}

/** Elements that Markdown has no form for. All of each stays HTML. */
const KEPT = new Set('AUDIO DETAILS DL FIGURE IFRAME PICTURE VIDEO'.split(' '));
/** The same inside of a line, where what they hold is Markdown again. */
const KEPT_INLINE = 'abbr cite ins kbd mark q samp small sub sup time u var'.split(' ') as 'abbr'[];
/** What says more than Markdown can: blocks that have one of these stay HTML. */
const KEPT_ATTRIBUTES = ['style', 'id', 'dir', 'lang'];
const BLOCKS = new Set('BLOCKQUOTE DIV H2 H3 H4 OL P PRE TABLE UL'.split(' '));

/**
 * Cleaned HTML as Markdown of GitHub's flavor, with HTML for what that has no form for. What shows as text in HTML does
 * so in Markdown.
 */
export function htmlToMarkdown(html: string): string {
  const idOf = headingIds();
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  const escapeMarkdown = turndown.escape.bind(turndown);
  turndown.escape = (text) =>
    escapeMarkdown(text)
      .replace(/&(?=#?\w)/g, '&amp;')
      .replaceAll('<', '\\<')
      .replaceAll('~', '\\~')
      .replace(/\{(?=[{%#])/g, '&#123;');
  const title = (element: Element) => {
    const given = element.getAttribute('title');
    return given ? ` "${turndown.escape(given.replace(/\s+/g, ' ')).replaceAll('"', '&quot;')}"` : '';
  };

  turndown.addRule('inlineHtml', {
    filter: KEPT_INLINE,
    replacement: (content, node) => {
      const element = asElement(node);
      const tag = element.outerHTML.slice(0, element.outerHTML.indexOf('>') + 1);
      return `${tag}${content}</${element.nodeName.toLowerCase()}>`;
    },
  });
  turndown.addRule('strikethrough', { filter: ['del', 's'], replacement: (content) => `~~${content}~~` });
  turndown.addRule('link', {
    filter: (node) => isLink(asElement(node)),
    replacement: (content, node) =>
      `[${content}](${addressOf(asElement(node).getAttribute('href') ?? '')}${title(asElement(node))})`,
  });
  turndown.addRule('anchor', {
    filter: (node) => isAnchor(asElement(node)),
    replacement: (content, node) => {
      const [id = '', href] = ['id', 'href'].map((name) => asElement(node).getAttribute(name));
      const anchor = `<a id="${escapeAttribute(id ?? '')}"></a>`;
      return href == null ? anchor + content : `${anchor}[${content}](${addressOf(href)}${title(asElement(node))})`;
    },
  });
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => {
      const alt = turndown.escape((asElement(node).getAttribute('alt') ?? '').replace(/\s+/g, ' '));
      return `![${alt}](${addressOf(asElement(node).getAttribute('src') ?? '')}${title(asElement(node))})`;
    },
  });
  turndown.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content) => ` ${content.trim().replaceAll('\n', ' ').replaceAll('|', '\\|')} |`,
  });
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const row = asElement(node);
      const columns = [...Array.from(row.children, alignmentOf)];
      const isHeader = row.parentNode?.nodeName === 'THEAD';
      return `\n|${content}${isHeader ? `\n|${columns.map((one) => ` ${one} |`).join('')}` : ''}`;
    },
  });
  turndown.addRule('section', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
  turndown.addRule('box', {
    filter: 'input',
    replacement: (_content, node) => (asElement(node).getAttribute('checked') === null ? '[ ]' : '[x]'),
  });
  // The last one is asked first.
  turndown.addRule('kept', {
    filter: (node) => isKept(asElement(node), idOf),
    replacement: (_content, node) => `\n\n${withoutEmptyLines(asElement(node).outerHTML)}\n\n`,
  });
  return turndown.turndown(html);
}

const isAnchor = (element: Element): boolean => element.nodeName === 'A' && Boolean(element.getAttribute('id'));
const isLink = (element: Element): boolean => element.nodeName === 'A' && element.getAttribute('href') !== null;

const asElement = (node: unknown): Element => node as Element;

function isKept(element: Element, idOf: (text: string) => string | null): boolean {
  const { nodeName } = element;
  if (KEPT.has(nodeName)) return true;
  if (!BLOCKS.has(nodeName)) return false;
  if (/^H[2-4]$/.test(nodeName)) {
    const id = element.getAttribute('id');
    // One that readers of Markdown make, too.
    return (id !== null && id !== idOf(element.textContent)) || hasAttribute(element, ['style', 'dir', 'lang']);
  }
  if (hasAttribute(element, KEPT_ATTRIBUTES) || Boolean(element.querySelector('li[id]'))) return true;
  return nodeName === 'TABLE' && !isSimpleTable(element);
}

const hasAttribute = (element: Element, names: readonly string[]): boolean =>
  names.some((name) => element.getAttribute(name) !== null);

/** Whether a table is one of GitHub’s: a row of headings, then rows of as many cells, each a line. */
function isSimpleTable(table: Element): boolean {
  const rows = Array.from(table.querySelectorAll('tr'));
  const [first] = rows;
  if (first?.parentNode?.nodeName !== 'THEAD' || table.querySelectorAll('thead tr').length !== 1) return false;
  if (rows.some((row) => row.children.length !== first.children.length)) return false;
  return !table.querySelector(
    '[colspan], [rowspan], caption, table, p, div, ul, ol, dl, pre, blockquote, br, h2, h3, h4',
  );
}

/** The line under a heading of a table. Alignments are styles of cells, which are cleaned like others. */
function alignmentOf(cell: Element): string {
  const [, side] = /text-align:\s*(left|center|right)/.exec(cell.getAttribute('style') ?? '') ?? [];
  return side === 'center' ? ':---:' : side === 'right' ? '---:' : side === 'left' ? ':---' : '---';
}

/** An address keeps its meaning when it is escaped as addresses are. */
const addressOf = (address: string): string =>
  address.replace(/[{}<>()\s\\]/g, (one) => ESCAPED[one] ?? encodeURIComponent(one));
const ESCAPED: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
