import { OPENER_SOURCE, spellings } from './spellings.ts';
import { tokenizeHtml } from './tokenize-html.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

const OPENER = new RegExp(OPENER_SOURCE, 'gi');
/** What of a placeholder may follow its opener. */
const REST_OF_PLACEHOLDER = /[ \t\r\n]{0,8}[a-z0-9-]{1,200}[ \t\r\n]{0,8}\]/iy;
const LEFT_BRACKET = new RegExp(spellings('['), 'gi');
/** What comes before the first tag within an opener, as far as it is cheap to tell. */
const CANDIDATE = /\[(?:i?n?t?e?r?n?a?l?:?[<%&]|internal:)|%[5<]|&(?!(?:amp|lt|gt|quot|nbsp|#39);)/i;

/** How often openers are removed that a removal has brought together. Behind that, each `[` becomes a space. */
const MAX_PASSES = 8;

/**
 * Removes every `[INTERNAL:` in every spelling, also those that a removal brings together
 * (`[INTER[INTERNAL:x]NAL:`), and returns a text without an opener unchanged. Linear in the text's length.
 */
export function removeOpeners(text: string): string {
  return removeFrom(text, ({ length }) => [{ start: 0, end: length }]);
}

/**
 * The same for text that a reader makes of HTML by leaving out its tags and comments: takes out of
 * `[<b>INTER</b>NAL:x]` all but the tags.
 */
export function removeOpenersAcrossTags(html: string): string {
  return CANDIDATE.test(html) ? removeFrom(html, textsOf) : html;
}

function textsOf(html: string): Range[] {
  const texts: Range[] = [];
  for (const token of tokenizeHtml(html)) {
    if (token.kind !== 'tag' && token.kind !== 'comment') texts.push(token);
  }
  return texts;
}

function removeFrom(original: string, partsOf: (text: string) => readonly Range[]): string {
  let text = original;
  for (let passes = 1; ; passes += 1) {
    const parts = partsOf(text);
    const joined = parts.map(({ start, end }) => text.slice(start, end)).join('');
    if (joined.search(OPENER) < 0) return text;
    const isLast = passes > MAX_PASSES;
    const removals = [...joined.matchAll(isLast ? LEFT_BRACKET : OPENER)];
    text = cut(text, parts, removals, isLast);
  }
}

/** Cuts what was found in the joined parts out of the text; nothing between the parts goes. */
function cut(text: string, parts: readonly Range[], removals: readonly RegExpExecArray[], leaveSpace: boolean): string {
  const kept: string[] = [];
  let position = 0;
  let joined = 0;
  let next = 0;
  for (const part of parts) {
    const shift = part.start - joined;
    joined += part.end - part.start;
    for (let removal = removals[next]; removal !== undefined && removal.index < joined; removal = removals[next]) {
      const start = Math.max(removal.index + shift, part.start);
      kept.push(text.slice(position, start));
      // `<[INTERNAL:script>` is text and must not become a tag.
      if (leaveSpace || text[start - 1] === '<') kept.push(' ');
      const end = removal.index + removal[0].length;
      position = Math.min(end + shift, part.end);
      if (end > joined) break;
      REST_OF_PLACEHOLDER.lastIndex = position;
      if (REST_OF_PLACEHOLDER.test(text)) position = REST_OF_PLACEHOLDER.lastIndex;
      next += 1;
    }
  }
  return kept.join('') + text.slice(position);
}
