import { unprocessable } from '@blog-content/service-runtime';
import MarkdownIt, { type Token } from 'markdown-it';

/** How deep block quotes and lists may stand in each other, counted in elements: a list with its item is two. */
const MAX_MARKDOWN_NESTING = 100;
/** Most lines: each may become several elements, and no author has so many in what a post may hold. */
const MAX_LINES = 50_000;
/** Most characters that Markdown may come to: a long link that is referred to often makes much of little. */
const MAX_RENDERED = 4_000_000;
const NESTED = new Set(['blockquote_open', 'list_item_open']);

/** `[INTERNAL:slug]` or `%5BINTERNAL:slug%5D` and what follows it, as a link's destination. */
const PLACEHOLDER = /^(?:\[|%5B)\s*INTERNAL:(?:\s|%20)*([a-z0-9-]+)(?:\s|%20)*(?:\]|%5D)(.*)$/is;

const renderer = new MarkdownIt({ html: true, maxNesting: MAX_MARKDOWN_NESTING + 1 });
const normalizeLink = renderer.normalizeLink.bind(renderer);
renderer.normalizeLink = (url) => {
  const [, slug, rest] = PLACEHOLDER.exec(url) ?? [];
  return slug === undefined || rest === undefined ? normalizeLink(url) : `[INTERNAL:${slug}]${normalizeLink(rest)}`;
};

/**
 * HTML of Markdown: CommonMark with tables and strikethrough. Raw HTML stays, so the result has to be cleaned. Link
 * placeholders stay as they are, in text and as destinations (spec §2.4.3).
 *
 * @param markdown at most 500,000 characters, else it takes long.
 * @throws a 422 problem of `content_markdown` for what is nested too deep, has too many lines or comes to too much HTML; no
 * author writes that.
 */
export function markdownToHtml(markdown: string): string {
  if (hasTooManyLines(markdown)) throw refused(`has more than ${MAX_LINES} lines`);
  const environment = {};
  const tokens = renderer.parse(markdown, environment);
  // The parser leaves out, without a word, what stands deeper.
  if (tokens.some(({ type, level }) => level >= MAX_MARKDOWN_NESTING && NESTED.has(type))) {
    throw refused(`has block quotes or lists in each other to more than ${MAX_MARKDOWN_NESTING} levels`);
  }
  if (lengthOf(tokens) > MAX_RENDERED) throw refused(`comes to more than ${MAX_RENDERED} characters of HTML`);
  return renderer.renderer.render(tokens, renderer.options, environment);
}

/** Whether the lines are more than is read of any Markdown. */
export function hasTooManyLines(markdown: string): boolean {
  let lines = 0;
  for (const character of ['\n', '\r']) {
    for (let at = markdown.indexOf(character); at !== -1; at = markdown.indexOf(character, at + 1)) lines += 1;
  }
  return lines > MAX_LINES;
}

const refused = (message: string) => unprocessable([{ field: 'content_markdown', message }]);

function lengthOf(tokens: readonly Token[]): number {
  let length = 0;
  for (const { content, attrs, children } of tokens) {
    length += children ? lengthOf(children) : content.length;
    for (const [name, value] of attrs ?? []) length += name.length + String(value).length;
  }
  return length;
}
