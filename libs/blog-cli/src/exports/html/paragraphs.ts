import { COMMENT, PREFORMATTED, replaceSpans } from './spans.ts';

/** Elements that are no part of a paragraph. Captions of figures stay where they are. */
const BLOCKS =
  'address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio';
const OPENING = new RegExp(`<(?:${BLOCKS})(?:\\s[^<>]*)?/?>`, 'gi');
const CLOSING = new RegExp(`</(?:${BLOCKS})\\s*>|<hr(?:\\s[^<>]*)?/?>`, 'gi');
const TAG = new RegExp(`^</?(?:${BLOCKS})(?:\\s[^<>]*)?/?>$`, 'i');
/** Elements that wrap their text in paragraphs, even a single one. */
const HOLDS_PARAGRAPHS = /<(?:blockquote)(?:\s[^<>]*)?>$/i;
/** Elements that do so only if their text continues after an empty line. */
const MAY_HOLD_PARAGRAPHS = /<(?:article|aside|center|details|div|main|section)(?:\s[^<>]*)?>$/i;
/**
 * HTML of text as WordPress' classic editor keeps it: empty lines make paragraphs, other ends of lines breaks, except
 * within and around elements that are blocks already.
 */
export function paragraphsOf(text: string): string {
  const kept: string[] = [];
  const spaced = replaceSpans(
    replaceSpans(
      text.replaceAll(/\r\n?/g, '\n'),
      PREFORMATTED,
      ({ whole }) => `<pre kept="${kept.push(whole) - 1}"></pre>`,
    ),
    COMMENT,
    () => '',
  )
    .replaceAll(OPENING, (tag) => `\n\n${tag}`)
    .replaceAll(CLOSING, (tag) => `${tag}\n\n`);
  const parts = spaced.split(/\n[ \t]*\n/).flatMap((part) => (part.trim() === '' ? [] : [paragraphOf(part.trim())]));
  return parts.join('\n').replaceAll(/<pre kept="(\d+)"><\/pre>/g, (_whole, index) => kept[Number(index)] ?? '');
}

/** @param part text with tags of blocks at its beginning and its end only. */
function paragraphOf(part: string): string {
  let [from, to] = [0, part.length];
  for (let end = endOfTag(part, from); end > from; end = endOfTag(part, from)) from = end;
  for (let begin = beginOfTag(part, to); begin >= from && begin < to; begin = beginOfTag(part, to)) to = begin;
  const [before, after] = [part.slice(0, from), part.slice(to)];
  const words = part.slice(from, to).trim();
  if (words === '') return part;
  const lines = words
    .split('\n')
    .map((line, index, { length }) =>
      index === length - 1 || /<br\s*\/?>\s*$/.test(line) ? line : `${line.trimEnd()}<br>`,
    )
    .join('\n');
  const isParagraph =
    before === '' || HOLDS_PARAGRAPHS.test(before) || (MAY_HOLD_PARAGRAPHS.test(before) && after === '');
  return isParagraph ? `${before}<p>${lines}</p>${after}` : `${before}${lines}${after}`;
}

/** Where the tag of a block that is there, after white space, ends; the same place without one. */
function endOfTag(part: string, from: number): number {
  const begin = from + (part.slice(from).length - part.slice(from).trimStart().length);
  const end = part.indexOf('>', begin) + 1;
  return TAG.test(part.slice(begin, end)) ? end : from;
}

/** Where the tag of a block begins that ends there; the same place without one. */
function beginOfTag(part: string, to: number): number {
  const end = part.slice(0, to).trimEnd().length;
  const begin = part.lastIndexOf('<', end);
  return begin >= 0 && TAG.test(part.slice(begin, end)) ? begin : to;
}
