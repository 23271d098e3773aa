import type { MarkdownIt, Token } from 'markdown-it';
import { headingIds } from './heading-ids.ts';

/** `{#id}` or `{: #id}` at the end of a heading, and the other attributes in these braces. */
const GIVEN = /\{:?[ \t]*#([\p{L}\p{N}][\p{L}\p{M}\p{N}_.:-]{0,199})(?:[ \t]+[^{}]{0,200})?\}[ \t]*$/u;
const ID_IN_HTML = /\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/gi;
/** Made for footnotes. */
const OF_FOOTNOTES = /^fn(?:ref)?\d/;

/** Gives each heading an id: the one written behind it, or one made of its text, so that `#section` leads there. */
export function addHeadingIds(markdown: MarkdownIt): void {
  markdown.core.ruler.push('heading_ids', ({ tokens }) => {
    const headings = tokens.flatMap((token, at) =>
      token.type === 'heading_open' ? [[token, tokens[at + 1]] as const] : [],
    );
    const given = new Set<string>();
    for (const [heading, inline] of headings) {
      const id = takeGivenId(inline);
      if (id === null || given.has(id)) continue;
      given.add(id);
      heading.attrSet('id', id);
    }
    const idOf = headingIds([...given, ...idsInHtml(tokens)]);
    for (const [heading, inline] of headings) {
      if (heading.attrGet('id') !== null) continue;
      const text = textOf(inline);
      const id = idOf(OF_FOOTNOTES.test(text.toLowerCase()) ? `section-${text}` : text);
      if (id !== null) heading.attrSet('id', id);
    }
  });
}

/** Takes the id after a heading's text out of it. */
function takeGivenId(inline: Token | undefined): string | null {
  const last = inline?.children?.at(-1);
  if (last?.type !== 'text') return null;
  const found = GIVEN.exec(last.content);
  if (found === null) return null;
  last.content = last.content.slice(0, found.index).trimEnd();
  return found[1] ?? null;
}

function textOf(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === 'html_inline' ? '' : type === 'softbreak' ? ' ' : content))
    .join('');
}

function* idsInHtml(tokens: readonly Token[]): Generator<string> {
  for (const { type, content, children } of tokens) {
    if (type === 'html_block' || type === 'html_inline') {
      for (const [, double, single, bare] of content.matchAll(ID_IN_HTML)) yield double ?? single ?? bare ?? '';
    }
    if (children) yield* idsInHtml(children);
  }
}
