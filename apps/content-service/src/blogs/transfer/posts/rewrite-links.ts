import { posix } from 'node:path';
import { Tokenizer } from 'htmlparser2';
import { classifyPath } from './classify-path.ts';
import { findMarkdownBlocks } from './markdown-blocks.ts';

/** The slugs of an archive's posts, by composed path (NFC). */
export type SlugsByPath = ReadonlyMap<string, string>;

interface Destination {
  readonly start: number;
  readonly end: number;
}

const ignore = () => undefined;

/** What takes the place of a destination; null where it stays. */
type Replace = (destination: string) => string | null;

/**
 * Makes placeholders (contract §2.4.3) of the links to other files of the archive: relative destinations of inline
 * links and of link definitions, `href` of HTML elements, and the paths that posts have on a site (`/blog/<slug>/`).
 * Code stays as it is, and so does every other character.
 *
 * @param path the file's own.
 */
export function rewriteMarkdownLinks(markdown: string, path: string, slugs: SlugsByPath): string {
  return replaceDestinations(markdown, MAY_LINK, (destination) => placeholderFor(destination, path, slugs));
}

/** The same for HTML. */
export function rewriteHtmlLinks(html: string, path: string, slugs: SlugsByPath): string {
  if (!MAY_LINK.test(html)) return html;
  return replaceAt(html, hrefsOf(html), (destination) => placeholderFor(destination, path, slugs));
}

/** What names a file that could be a post, or its address: most texts do not. */
const MAY_LINK = /\.(?:md|markdown|html?)|\/blog\//i;

/**
 * Markdown with other destinations of inline links, of link definitions and of `href`, but in code.
 *
 * @param mayHave what a passage without any to replace does not match.
 */
export function replaceDestinations(markdown: string, mayHave: RegExp, replace: Replace): string {
  return replaceOutsideCode(markdown, mayHave, (passage) =>
    replaceAt(passage, destinationsIn(withoutCodeSpans(passage)), replace),
  );
}

/** Markdown with other passages, each of blocks without an empty line between them, where there is no block of code. */
export function replaceOutsideCode(markdown: string, mayHave: RegExp, replace: (passage: string) => string): string {
  if (!mayHave.test(markdown)) return markdown;
  const { lines, isCode } = findMarkdownBlocks(markdown);
  const replaced = (passage: string) => (mayHave.test(passage) ? replace(passage) : passage);
  let rewritten = '';
  let passage = '';
  for (const [index, line] of lines.entries()) {
    if (isCode[index] !== true && /\S/.test(line)) {
      passage += line;
      continue;
    }
    rewritten += replaced(passage) + line;
    passage = '';
  }
  return rewritten + replaced(passage);
}

function destinationsIn(readable: string): Destination[] {
  const found = [...hrefsOf(readable)];
  for (const pattern of [
    /(?<!\\)\]\([ \t]*(?:<([^<>\r\n]*)>|([^\s()<>]+))/dg,
    /^[ \t>*+-]{0,20}\[(?!\^)[^[\]\r\n]{1,999}\]:[ \t]*(?:<([^<>\r\n]*)>|([^\s<>]+))/dgm,
  ]) {
    for (const { indices } of readable.matchAll(pattern)) {
      const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0];
      found.push({ start, end });
    }
  }
  return found;
}

/** The same text, as long as before, with spaces for what stands between equal numbers of backticks. */
export function withoutCodeSpans(passage: string): string {
  const runs = [...passage.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, start: index }));
  const later = new Map<number, number[]>();
  for (const { length, start } of runs.toReversed()) {
    const starts = later.get(length);
    if (starts) starts.push(start);
    else later.set(length, [start]);
  }
  let readable = '';
  let position = 0;
  for (const { length, start } of runs) {
    const starts = later.get(length) ?? [];
    while ((starts.at(-1) ?? Infinity) <= start) starts.pop();
    const closing = starts.at(-1);
    if (start < position || closing === undefined || passage[start - 1] === '\\') continue;
    const end = closing + length;
    readable += passage.slice(position, start) + passage.slice(start, end).replace(/[^\r\n]/g, ' ');
    position = end;
  }
  return readable + passage.slice(position);
}

/** Where the values of `href` attributes stand. */
function hrefsOf(html: string): Destination[] {
  const found: Destination[] = [];
  let name = '';
  let start = -1;
  let end = -1;
  const extend = (from: number, to: number) => {
    if (start === -1) start = from;
    end = to;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onattribname: (from, to) => {
        name = html.slice(from, to).toLowerCase();
        start = -1;
      },
      onattribdata: extend,
      onattribentity: ignore,
      onattribend: () => {
        if (name === 'href' && start !== -1) found.push({ start, end });
        name = '';
      },
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return found;
}

function replaceAt(text: string, destinations: readonly Destination[], replace: Replace): string {
  let replaced = '';
  let position = 0;
  for (const { start, end } of destinations.toSorted((a, b) => a.start - b.start)) {
    if (start < position) continue;
    const placeholder = replace(text.slice(start, end));
    if (placeholder === null) continue;
    replaced += text.slice(position, start) + placeholder;
    position = end;
  }
  return replaced + text.slice(position);
}

/** The placeholder for a destination; null when it leads to no other file of the archive. */
function placeholderFor(destination: string, path: string, slugs: SlugsByPath): string | null {
  const [file = ''] = destination.split(/[?#]/, 1);
  const rest = destination.slice(file.length);
  const [, onSite] = /^\/blog\/([a-z\d-]+)\/?$/.exec(file) ?? [];
  if (onSite !== undefined) return hasSlug(slugs, onSite) ? `[INTERNAL:${onSite}]${rest}` : null;
  if (!file.includes('.') || file.startsWith('/') || file.length > 1_000) return null;
  const target = posix.join(posix.dirname(path), decoded(file)).normalize();
  if (classifyPath(target).kind !== 'post') return null;
  const slug = slugs.get(target);
  if (slug === undefined) return null;
  // A link to a place in the post itself needs no address.
  return target === path.normalize() && rest.startsWith('#') ? rest : `[INTERNAL:${slug}]${rest}`;
}

/** The slugs that each archive's files have: a link to one of many posts is looked up at once. */
const SLUGS = new WeakMap<SlugsByPath, ReadonlySet<string>>();

function hasSlug(slugs: SlugsByPath, slug: string): boolean {
  let all = SLUGS.get(slugs);
  if (all === undefined) SLUGS.set(slugs, (all = new Set(slugs.values())));
  return all.has(slug);
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
