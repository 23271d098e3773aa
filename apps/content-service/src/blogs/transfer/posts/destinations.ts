import { Tokenizer } from 'htmlparser2';
import { findMarkdownBlocks } from './markdown-blocks.ts';

/** An address of a text, as it is written. */
export interface Destination {
  readonly text: string;
  /** The tag that has it; null for a link or an image of Markdown, or the definition of either. */
  readonly tag: string | null;
  /** Of an image; empty where it has none, and for links. */
  readonly alt: string;
}

/** What takes the place of a destination; null where it stays. */
export type Replace = (destination: Destination) => string | null;

/**
 * The same text with other addresses of links and images: those of Markdown, `href` of any element, and `src` of
 * images. Code in Markdown stays as it is, and so does every other character.
 *
 * @param mayHave what a passage without any to replace does not match.
 */
export function replaceDestinations(
  text: string,
  format: 'markdown' | 'html',
  mayHave: RegExp,
  replace: Replace,
): string {
  if (format === 'html') return mayHave.test(text) ? replaceAt(text, attributesIn(text), replace) : text;
  return replaceOutsideCode(text, mayHave, (passage) => {
    const readable = withoutCodeSpans(passage);
    return replaceAt(passage, [...attributesIn(readable), ...markdownDestinations(readable)], replace);
  });
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

interface Place extends Omit<Destination, 'text'> {
  readonly start: number;
  readonly end: number;
}

const MAX_ALT = 1_000;
const INLINE = /(?<!\\)\]\([ \t]*(?:<([^<>\r\n]*)>|([^\s()<>]+))/dg;
const DEFINITION = /^[ \t>*+-]{0,20}\[(?!\^)[^[\]\r\n]{1,999}\]:[ \t]*(?:<([^<>\r\n]*)>|([^\s<>]+))/dgm;

function markdownDestinations(readable: string): Place[] {
  return [INLINE, DEFINITION].flatMap((pattern) =>
    [...readable.matchAll(pattern)].map(({ index, indices }) => {
      const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0];
      const before = readable.slice(Math.max(0, index - MAX_ALT), index);
      const [, alt = ''] = pattern === INLINE ? (/!\[([^[\]\r\n]*)$/.exec(before) ?? []) : [];
      return { start, end, tag: null, alt };
    }),
  );
}

/** The same text with spaces in place of code spans, so that positions stay. */
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

const ignore = () => undefined;

/** Where the values of `href` stand, and of the `src` of images. */
function attributesIn(html: string): Place[] {
  const found: { start: number; end: number; tag: string; alt: string }[] = [];
  let ofTag: typeof found = [];
  let tag = '';
  let alt = '';
  let name = '';
  let start = -1;
  let end = -1;
  const extend = (from: number, to: number) => {
    if (start === -1) start = from;
    end = to;
  };
  const endTag = () => {
    for (const place of ofTag) place.alt = alt;
    ofTag = [];
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname: (from, to) => {
        endTag();
        tag = html.slice(from, to).toLowerCase();
        alt = '';
      },
      onattribname: (from, to) => {
        name = html.slice(from, to).toLowerCase();
        start = -1;
      },
      onattribdata: extend,
      onattribentity: ignore,
      onattribend: () => {
        if (start !== -1 && (name === 'href' || (name === 'src' && tag === 'img'))) {
          const place = { start, end, tag, alt: '' };
          found.push(place);
          if (tag === 'img') ofTag.push(place);
        }
        if (start !== -1 && name === 'alt') alt = html.slice(start, Math.min(end, start + MAX_ALT)).toWellFormed();
        name = '';
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: endTag,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return found;
}

function replaceAt(text: string, places: readonly Place[], replace: Replace): string {
  let replaced = '';
  let position = 0;
  for (const { start, end, tag, alt } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < position) continue;
    const replacement = replace({ text: text.slice(start, end), tag, alt });
    if (replacement === null) continue;
    replaced += text.slice(position, start) + replacement;
    position = end;
  }
  return replaced + text.slice(position);
}
