import TurndownService from 'turndown';

/** HTML elements that Markdown has no form for and dev.to takes as they are. */
const KEPT = ['table', 'sub', 'sup', 'kbd', 'del', 'ins', 'mark', 'abbr'] as const;

/** What is asked of an element of the tree that is converted. */
interface Element {
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
}

/**
 * HTML as Markdown of dev.to, which shows no inline styles, no frames and no scripts. What would be a tag of Liquid, its
 * language of templates, becomes text.
 */
export function toMarkdown(html: string): string {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '_',
    keepReplacement: (_content, node) => withoutLiquid((node as unknown as Element).outerHTML),
  });
  turndown.keep([...KEPT]);
  turndown.remove(['script', 'style', 'noscript']);
  const escapeMarkdown = turndown.escape.bind(turndown);
  turndown.escape = (text) => withoutLiquid(escapeMarkdown(text));
  turndown.addRule('frame', {
    filter: 'iframe',
    replacement: (_content, node) => {
      const source = (node as unknown as Element).getAttribute('src');
      return source === null ? '' : `\n\n<${source.replace(/[<>\s]/g, '')}>\n\n`;
    },
  });
  return turndown.turndown(withoutLiquidInAddresses(html));
}

const withoutLiquid = (text: string): string => text.replace(/\{(?=[{%])/g, '&#123;');

/** An address keeps its meaning when its braces are escaped as addresses are. */
const withoutLiquidInAddresses = (html: string): string =>
  html.replace(/\b(?:href|src)="[^"]*"/g, (attribute) => attribute.replaceAll('{', '%7B'));
