import TurndownService from 'turndown';

/** HTML elements that Markdown has no form for and dev.to takes as they are. */
const KEPT = ['table', 'sub', 'sup', 'kbd', 'del', 'ins', 'mark', 'abbr'] as const;

/** What is asked of an element of the tree that is converted. */
interface Element {
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
}

/**
 * HTML as Markdown of dev.to, which shows no inline styles, no frames and no scripts. What would be a tag of Liquid,
 * its language of templates, becomes text.
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
  const text = (node: Element, name: string) => turndown.escape((node.getAttribute(name) ?? '').replace(/\s+/g, ' '));
  const titleOf = (node: Element) => {
    const title = text(node, 'title').replaceAll('"', '\\"');
    return title === '' ? '' : ` "${title}"`;
  };
  const addRule = (name: string, tag: 'a' | 'img' | 'iframe', attribute: string, form: Form) =>
    turndown.addRule(name, {
      filter: tag,
      replacement: (content, node) => {
        const element = node as unknown as Element;
        const address = addressOf(element.getAttribute(attribute) ?? '');
        return address === '' ? content : form(element, address, content);
      },
    });
  addRule('frame', 'iframe', 'src', (_node, address) => `\n\n<${address}>\n\n`);
  addRule('image', 'img', 'src', (node, address) => `![${text(node, 'alt')}](${address}${titleOf(node)})`);
  addRule('inlineLink', 'a', 'href', (node, address, content) => `[${content}](${address}${titleOf(node)})`);
  return turndown.turndown(html);
}

type Form = (node: Element, address: string, content: string) => string;

/** Each of its tags begins with a brace. Code is left as it is: dev.to runs no tags in it. */
const withoutLiquid = (text: string): string => text.replaceAll('{', '&#123;');

/** An address keeps its meaning when it is escaped as addresses are. */
const addressOf = (address: string): string =>
  address.replace(/[{<>()\s]/g, (one) => ESCAPED[one] ?? encodeURIComponent(one));
const ESCAPED: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };
