import { escapeHtml } from '@blog-content/link-resolver';
import { plain } from '../writing/plain.ts';
import { unescapeHtml } from './content-parts.ts';

/*
 * Content in pieces: texts to translate, and everything that stays as it is. A text is all between two block tags. Its
 * inline tags, code and placeholders become numbered markers, `⟦1⟧…⟦/1⟧` around words or `⟦2⟧` on their own, so that a
 * model changes none of them.
 */

/** Elements that are kept with all that is in them. */
const KEPT = new Set(['pre', 'code', 'kbd', 'samp', 'var', 'iframe', 'video', 'audio', 'picture']);
/** Those among them that stand within a text. */
const KEPT_INLINE = new Set(['code', 'kbd', 'samp', 'var']);
const INLINE = new Set('a abbr b bdi bdo cite del dfn em i ins mark q s small span strong sub sup time u'.split(' '));
const VOID_INLINE = new Set(['br', 'img', 'wbr']);

const TAG = /<(\/?)([a-z][a-z0-9]*)\b(?:[^<>"]|"[^"]*")*>/gi;
const PLACEHOLDER = /\[\s*INTERNAL\s*:[^[\]]*\]/gi;
const MARKER = /⟦(\/?)(\d{1,4})⟧/g;
const IMAGE = /<img\b(?:[^<>"]|"[^"]*")*>/gi;
const ALT = /\salt="([^"]*)"/i;
const HAS_WORDS = /\p{L}/u;
/** Most characters of a text's translation. */
export const longestTranslation = (text: string): number => 4 * text.length + 200;
export const withoutMarkers = (text: string): string => text.replace(MARKER, '');

type Token =
  | { readonly kind: 'text' | 'self' | 'edge'; readonly html: string }
  | { readonly kind: 'open' | 'close'; readonly html: string; readonly name: string };

/** A text with what its markers stand for. */
interface Cut {
  readonly text: string;
  /** White space around it. */
  readonly around: readonly [before: string, after: string];
  readonly markers: ReadonlyMap<string, string>;
}

export interface CutContent {
  /** What is to be translated, in order. */
  readonly texts: readonly string[];
  /**
   * The content with its translations in place of the texts, by their order.
   *
   * @returns also the texts that stay as they were: without a translation, or with one that has other markers.
   */
  put(translations: readonly (string | undefined)[]): { readonly html: string; readonly left: readonly string[] };
}

/** Cuts a cleaned content. */
export function cutContent(html: string): CutContent {
  const pieces: (string | Cut)[] = [];
  const alts: string[] = [];
  let run: Token[] = [];
  const flush = () => {
    for (const part of splitAtUnbalanced(run)) pieces.push(...cutRun(part));
    run = [];
  };
  for (const token of tokensOf(html)) {
    if (token.kind === 'edge') {
      flush();
      pieces.push(token.html);
    } else run.push(token);
  }
  flush();
  for (const tag of html.matchAll(IMAGE)) {
    const alt = unescapeHtml(ALT.exec(tag[0])?.[1] ?? '');
    if (HAS_WORDS.test(alt) && !alts.includes(alt)) alts.push(alt);
  }
  const cuts = pieces.filter((piece) => typeof piece !== 'string');
  return {
    texts: [...cuts.map(({ text }) => text), ...alts],
    put(translations) {
      const left: string[] = [];
      let at = 0;
      const content = pieces
        .map((piece) => {
          if (typeof piece === 'string') return piece;
          const written = fill(piece, translations[at]);
          at += 1;
          if (written === null) left.push(withoutMarkers(piece.text));
          return written ?? fill(piece, piece.text) ?? '';
        })
        .join('');
      const altOf = new Map(
        alts.map((alt, index) => [alt, plain(translations[at + index] ?? '', longestTranslation(alt)) || alt]),
      );
      return { html: content.replace(IMAGE, (tag) => withAlt(tag, altOf)), left };
    },
  };
}

const withAlt = (tag: string, altOf: ReadonlyMap<string, string>): string =>
  tag.replace(ALT, (all, alt: string) => {
    const translated = altOf.get(unescapeHtml(alt));
    return translated === undefined ? all : ` alt="${escapeHtml(translated)}"`;
  });

function* tokensOf(html: string): Generator<Token> {
  let at = 0;
  const text = function* (until: number): Generator<Token> {
    let from = at;
    for (const found of html.slice(at, until).matchAll(PLACEHOLDER)) {
      const start = at + found.index;
      if (start > from) yield { kind: 'text', html: html.slice(from, start) };
      yield { kind: 'self', html: found[0] };
      from = start + found[0].length;
    }
    if (until > from) yield { kind: 'text', html: html.slice(from, until) };
  };
  for (const { 0: tag, 1: slash, 2: rawName = '', index } of html.matchAll(TAG)) {
    if (index < at) continue;
    yield* text(index);
    at = index + tag.length;
    const name = rawName.toLowerCase();
    if (slash === '' && KEPT.has(name)) {
      at = endOf(html, name, at);
      yield { kind: KEPT_INLINE.has(name) ? 'self' : 'edge', html: html.slice(index, at) };
    } else if (VOID_INLINE.has(name)) yield { kind: 'self', html: tag };
    else if (INLINE.has(name)) yield { kind: slash === '' ? 'open' : 'close', html: tag, name };
    else yield { kind: 'edge', html: tag };
  }
  yield* text(html.length);
}

/** Where an element ends whose content begins at `from`. */
function endOf(html: string, name: string, from: number): number {
  let depth = 1;
  for (const { 0: tag, index } of html.slice(from).matchAll(new RegExp(`</?${name}\\b(?:[^<>"]|"[^"]*")*>`, 'gi'))) {
    depth += tag.startsWith('</') ? -1 : 1;
    if (depth === 0) return from + index + tag.length;
  }
  return html.length;
}

/** Cuts at tags whose other half is elsewhere: a link around several blocks. */
function splitAtUnbalanced(run: readonly Token[]): Token[][] {
  const opened: number[] = [];
  const balanced = new Set<number>();
  for (const [index, token] of run.entries()) {
    if (token.kind === 'open') opened.push(index);
    if (token.kind !== 'close') continue;
    const partner = opened.at(-1);
    const open = partner === undefined ? undefined : run[partner];
    if (partner === undefined || open?.kind !== 'open' || open.name !== token.name) continue;
    opened.pop();
    balanced.add(partner).add(index);
  }
  const parts: Token[][] = [[]];
  for (const [index, token] of run.entries()) {
    const isLoose = (token.kind === 'open' || token.kind === 'close') && !balanced.has(index);
    if (isLoose) parts.push([{ kind: 'edge', html: token.html }], []);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** What stands between two blocks: one text, or nothing to translate. */
function cutRun(run: readonly Token[]): (string | Cut)[] {
  const html = run.map((token) => token.html).join('');
  if (!run.some((token) => token.kind === 'text' && HAS_WORDS.test(token.html))) return html === '' ? [] : [html];
  const markers = new Map<string, string>();
  const opened: number[] = [];
  let last = 0;
  const mark = (name: string, tag: string) => {
    markers.set(name, tag);
    return `⟦${name}⟧`;
  };
  const marked = run
    .map((token) => {
      if (token.kind === 'text')
        return unescapeHtml(token.html).replace(/\s+/g, (space) => (space.includes('\u00A0') ? '\u00A0' : ' '));
      if (token.kind === 'close') return mark(`/${opened.pop()}`, token.html);
      last += 1;
      if (token.kind === 'open') opened.push(last);
      return mark(String(last), token.html);
    })
    .join('');
  const text = marked.trim();
  const start = marked.length - marked.trimStart().length;
  return [{ text, around: [marked.slice(0, start), marked.slice(start + text.length)], markers }];
}

/** The HTML of a translation; null if it has not exactly the markers of the text, or they cross each other. */
function fill({ text, around, markers }: Cut, translation: string | undefined): string | null {
  const written = plain(translation ?? '', longestTranslation(text));
  if (!HAS_WORDS.test(written)) return null;
  const missing = new Map(markers);
  const opened: string[] = [];
  let html = '';
  let from = 0;
  for (const { 0: all, 1: slash, 2: number = '', index } of written.matchAll(MARKER)) {
    const name = `${slash}${number}`;
    const tag = missing.get(name);
    if (tag === undefined) return null;
    missing.delete(name);
    if (slash === '/') {
      if (opened.pop() !== number) return null;
    } else if (markers.has(`/${number}`)) opened.push(number);
    html += escapeHtml(written.slice(from, index)) + tag;
    from = index + all.length;
  }
  if (missing.size > 0) return null;
  return around[0] + html + escapeHtml(written.slice(from)) + around[1];
}
