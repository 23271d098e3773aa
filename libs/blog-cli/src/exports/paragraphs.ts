/** Elements that are no part of a paragraph. Captions of figures stay where they are. */
const BLOCKS =
  'address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio';
const OPENING = new RegExp(`<(?:${BLOCKS})(?:\\s[^<>]*)?/?>`, 'gi');
const CLOSING = new RegExp(`</(?:${BLOCKS})\\s*>|<hr(?:\\s[^<>]*)?/?>`, 'gi');
const TAGS = `(?:\\s*</?(?:${BLOCKS})(?:\\s[^<>]*)?/?>)`;
const BEFORE = new RegExp(`^${TAGS}+`, 'i');
const AFTER = new RegExp(`${TAGS}+$`, 'i');
/** What holds paragraphs of text that stands in it, even alone. */
const HOLDS_PARAGRAPHS = /<(?:blockquote)(?:\s[^<>]*)?>$/i;
/** What holds them where its text goes on after an empty line. */
const MAY_HOLD_PARAGRAPHS = /<(?:article|aside|center|details|div|main|section)(?:\s[^<>]*)?>$/i;
/** Whose white space is content. */
const PREFORMATTED = /<(pre|script|style|textarea)[\s>][^]*?<\/\1>/gi;

/**
 * HTML of text as WordPress' classic editor keeps it: empty lines make paragraphs, other ends of lines breaks, except
 * within and around elements that are blocks already.
 */
export function paragraphsOf(text: string): string {
  const kept: string[] = [];
  const spaced = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(PREFORMATTED, (whole) => `<pre kept="${kept.push(whole) - 1}"></pre>`)
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(OPENING, (tag) => `\n\n${tag}`)
    .replaceAll(CLOSING, (tag) => `${tag}\n\n`);
  const parts = spaced.split(/\n[ \t]*\n/).flatMap((part) => (part.trim() === '' ? [] : [paragraphOf(part.trim())]));
  return parts.join('\n').replaceAll(/<pre kept="(\d+)"><\/pre>/g, (_whole, index) => kept[Number(index)] ?? '');
}

/** @param part text with tags of blocks at its beginning and its end only. */
function paragraphOf(part: string): string {
  const [before = ''] = BEFORE.exec(part) ?? [];
  const rest = part.slice(before.length);
  const [after = ''] = AFTER.exec(rest) ?? [];
  const words = rest.slice(0, rest.length - after.length).trim();
  if (words === '') return part;
  const lines = words.replaceAll(/(?<!<br\s*\/?>)[ \t]*\n/g, '<br>\n');
  const isParagraph =
    before === '' || HOLDS_PARAGRAPHS.test(before) || (MAY_HOLD_PARAGRAPHS.test(before) && after === '');
  return isParagraph ? `${before}<p>${lines}</p>${after}` : `${before}${lines}${after}`;
}
