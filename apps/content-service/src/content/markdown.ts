import MarkdownIt, { type Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { MAX_ELEMENTS } from './html-limits.ts';
import { addDefinitionLists } from './markdown-syntax/add-definition-lists.ts';
import { addHeadingIds } from './markdown-syntax/add-heading-ids.ts';
import { addTaskLists } from './markdown-syntax/add-task-lists.ts';
import { linkAddresses } from './markdown-syntax/link-addresses.ts';

/** How deep block quotes and lists may be nested, counted in elements: a list with its item is two. */
const MAX_MARKDOWN_NESTING = 100;
/** Most lines: each may become several elements, and no author has so many in what a post may hold. */
const MAX_LINES = 50_000;
/** What an element can begin or end with inside of a block. Each takes time, even if it turns out to be text. */
const MARKUP = /[*_~[\]<&`\\]/g;
/** Most of them, two for each element that a post may have. */
const MAX_MARKUP = 2 * MAX_ELEMENTS;
/** Most characters of HTML: a long link that is referenced often makes much HTML of little Markdown. */
const MAX_RENDERED = 4_000_000;
const NESTED = new Set(['blockquote_open', 'list_item_open', 'dd_open']);

/** `[INTERNAL:slug]` or `%5BINTERNAL:slug%5D` and what follows it, as a link's destination. */
const PLACEHOLDER = /^(?:\[|%5B)\s*INTERNAL:(?:\s|%20)*([a-z0-9-]+)(?:\s|%20)*(?:\]|%5D)(.*)$/is;

const renderer = new MarkdownIt({ html: true, linkify: true, maxNesting: MAX_MARKDOWN_NESTING + 1 });
linkAddresses(renderer);
renderer.use(footnotes).use(addDefinitionLists).use(addTaskLists).use(addHeadingIds);
const normalizeLink = renderer.normalizeLink.bind(renderer);
renderer.normalizeLink = (url) => {
  const [, slug, rest] = PLACEHOLDER.exec(url) ?? [];
  return slug === undefined || rest === undefined ? normalizeLink(url) : `[INTERNAL:${slug}]${normalizeLink(rest)}`;
};

/** Thrown between two steps of the parser; never leaves this file. */
class LimitExceeded extends Error {}

// Before the inline parser runs, which takes longest. A table’s cells need not be written to be there.
renderer.core.ruler.after('block', 'limit_work', ({ tokens }) => {
  let elements = 0;
  let markup = 0;
  for (const { nesting, type, content } of tokens) {
    if (nesting === 1) elements += 1;
    if (type === 'inline') markup += content.match(MARKUP)?.length ?? 0;
  }
  if (elements > MAX_ELEMENTS) throw new LimitExceeded(`expands to more than ${MAX_ELEMENTS} HTML elements`);
  if (markup > MAX_MARKUP) {
    throw new LimitExceeded(
      `has more than ${MAX_MARKUP} of the characters * _ ~ [ ] < & \` and \\ outside code blocks`,
    );
  }
});

/** HTML, or why there is none: a clause about the Markdown. */
export type RenderedMarkdown = { readonly html: string } | { readonly refused: string };

/**
 * HTML of Markdown: CommonMark with tables, strikethrough, footnotes, task lists, definition lists, ids of headings, and
 * links of bare addresses. Raw HTML stays, so the result has to be cleaned. Link placeholders stay as they are, in text
 * and as destinations (contract §2.4.3).
 *
 * Refused is what is nested too deep, has too many lines or too much markup, or comes to too much HTML; no author
 * writes that.
 *
 * @param markdown at most 500,000 characters, else it takes long.
 */
export function markdownToHtml(markdown: string): RenderedMarkdown {
  if (hasTooManyLines(markdown)) return { refused: `has more than ${MAX_LINES} lines` };
  const environment = {};
  let tokens: Token[];
  try {
    tokens = renderer.parse(markdown, environment);
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    return { refused: error.message };
  }
  // The parser silently drops deeper levels.
  if (tokens.some(({ type, level }) => level >= MAX_MARKDOWN_NESTING && NESTED.has(type))) {
    return { refused: `has block quotes or lists nested more than ${MAX_MARKDOWN_NESTING} levels deep` };
  }
  if (lengthOf(tokens) > MAX_RENDERED) return { refused: `expands to more than ${MAX_RENDERED} characters of HTML` };
  return { html: renderer.renderer.render(tokens, renderer.options, environment) };
}

/** Whether the lines are more than is read of any Markdown. */
export function hasTooManyLines(markdown: string): boolean {
  let lines = 0;
  for (const character of ['\n', '\r']) {
    for (let at = markdown.indexOf(character); at !== -1; at = markdown.indexOf(character, at + 1)) lines += 1;
  }
  return lines > MAX_LINES;
}

function lengthOf(tokens: readonly Token[]): number {
  let length = 0;
  for (const { content, attrs, children } of tokens) {
    length += children ? lengthOf(children) : content.length;
    for (const [name, value] of attrs ?? []) length += name.length + String(value).length;
  }
  return length;
}
