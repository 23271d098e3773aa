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

/**
 * Makes placeholders (contract §2.4.3) of the links to other files of the archive: relative destinations of inline
 * links and of link definitions, and `href` of HTML elements. Code stays as it is, and so does every other character.
 *
 * @param path the file's own.
 */
export function rewriteMarkdownLinks(markdown: string, path: string, slugs: SlugsByPath): string {
  if (!mayLink(markdown)) return markdown;
  const { lines, isCode } = findMarkdownBlocks(markdown);
  let rewritten = '';
  let passage = '';
  for (const [index, line] of lines.entries()) {
    if (isCode[index] !== true && /\S/.test(line)) {
      passage += line;
      continue;
    }
    rewritten += rewritePassage(passage, path, slugs) + line;
    passage = '';
  }
  return rewritten + rewritePassage(passage, path, slugs);
}

/** The same for HTML. */
export function rewriteHtmlLinks(html: string, path: string, slugs: SlugsByPath): string {
  return mayLink(html) ? replaceAt(html, hrefsOf(html), path, slugs) : html;
}

/** Whether the text names a file that could be a post: most texts do not. */
function mayLink(text: string): boolean {
  return /\.(?:md|markdown|html?)/i.test(text);
}

/** One or more blocks without an empty line between them. */
function rewritePassage(passage: string, path: string, slugs: SlugsByPath): string {
  if (!mayLink(passage)) return passage;
  const readable = withoutCodeSpans(passage);
  const found = [...hrefsOf(readable)];
  for (const pattern of [
    /(?<!\\)\]\([ \t]*(?:<([^<>\r\n]*)>|([^\s()<>]+))/dg,
    /^[ \t>*+-]{0,20}\[[^[\]\r\n]{1,999}\]:[ \t]*(?:<([^<>\r\n]*)>|([^\s<>]+))/dgm,
  ]) {
    for (const { indices } of readable.matchAll(pattern)) {
      const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0];
      found.push({ start, end });
    }
  }
  return replaceAt(passage, found, path, slugs);
}

/** The same text, as long as before, with spaces for what stands between equal numbers of backticks. */
function withoutCodeSpans(passage: string): string {
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

function replaceAt(text: string, destinations: readonly Destination[], path: string, slugs: SlugsByPath): string {
  let replaced = '';
  let position = 0;
  for (const { start, end } of destinations.toSorted((a, b) => a.start - b.start)) {
    if (start < position) continue;
    const placeholder = placeholderFor(text.slice(start, end), path, slugs);
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
  if (!file.includes('.') || file.startsWith('/') || file.length > 1_000) return null;
  const target = posix.join(posix.dirname(path), decoded(file)).normalize();
  if (classifyPath(target).kind !== 'post') return null;
  const slug = slugs.get(target);
  if (slug === undefined) return null;
  // A link to a place in the post itself needs no address.
  return target === path.normalize() && rest.startsWith('#') ? rest : `[INTERNAL:${slug}]${rest}`;
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}
