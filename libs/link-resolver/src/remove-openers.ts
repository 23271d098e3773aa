import { nextCandidate, OPENER_LENGTH, SpellingStack } from './spelling-stack.ts';
import { markupEnd } from './tokenize-html.ts';

const SEMICOLON = 0x3b;
const LESS_THAN = 0x3c;

/** What of a placeholder may follow its opener. Bounded, so that each opener costs at most a constant. */
const REST_OF_PLACEHOLDER = /[ \t\r\n]{0,8}[a-z0-9-]{1,200}[ \t\r\n]{0,8}\]/iy;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Tags without an end that are looked for among the text: each takes time by what follows, and a browser shows nothing
 * behind the first one.
 */
const MAX_UNFINISHED = 20;

const noMarkup = () => undefined;

/**
 * Removes every `[INTERNAL:` in every spelling, also those that a removal brings together
 * (`[INTER[INTERNAL:x]NAL:`), and returns a text without an opener unchanged. Linear in the text's length.
 *
 * Why once over the text is enough: the stack depends on nothing but the characters pushed so far, without look-ahead.
 * When its top spells an opener, the opener's entries are forgotten and what they were read from is cut. The stack is
 * then exactly what reading the kept text alone would have given, and reading goes on from there, so an opener made
 * of characters on both sides of the cut is met like any other. At the end the stack is the one that belongs to the
 * text returned, and it never kept an opener.
 */
export function removeOpeners(text: string): string {
  return removeWith(text, noMarkup);
}

/**
 * The same for text that a reader makes of HTML by leaving out its tags and comments: takes out of
 * `[<b>INTER</b>NAL:x]` all but the tags. Openers that stand in an attribute, or in the text as they are, have to be
 * gone already.
 */
export function removeOpenersAcrossTags(html: string): string {
  let unfinished = 0;
  return removeWith(html, (position) => {
    if (unfinished === MAX_UNFINISHED) return undefined;
    const end = markupEnd(html, position);
    if (end === null) unfinished += 1;
    return end ?? undefined;
  });
}

/**
 * @param endOfMarkup the end of what the `<` at the position begins and is to be passed over; undefined when nothing
 * is.
 */
function removeWith(text: string, endOfMarkup: (position: number) => number | undefined): string {
  let position = nextCandidate(text, 0);
  if (position === text.length) return text;
  const stack = new SpellingStack();
  const removals: Range[] = [];
  const passedOver: Range[] = [];
  while (position < text.length) {
    const code = text.charCodeAt(position);
    const end = code === LESS_THAN && stack.length > 0 ? endOfMarkup(position) : undefined;
    if (end !== undefined) {
      passedOver.push({ start: position, end });
      position = end;
      continue;
    }
    stack.push(code, position);
    position += 1;
    if (stack.spellsOpener) {
      if (stack.takesSemicolon && text.charCodeAt(position) === SEMICOLON) position += 1;
      const entry = stack.length - OPENER_LENGTH;
      REST_OF_PLACEHOLDER.lastIndex = position;
      if (REST_OF_PLACEHOLDER.test(text)) position = REST_OF_PLACEHOLDER.lastIndex;
      addRemoval(removals, stack.startOf(entry), position);
      stack.truncate(entry);
    }
    if (stack.isSettled) {
      stack.truncate(0);
      position = nextCandidate(text, position);
    }
  }
  return removals.length === 0 ? text : cut(text, removals, passedOver);
}

/** Takes the place of the removals that lie inside the new one or touch it. */
function addRemoval(removals: Range[], start: number, end: number): void {
  let first = start;
  while (removals.length > 0 && removals[removals.length - 1]!.end >= first) {
    first = Math.min(first, removals.pop()!.start);
  }
  removals.push({ start: first, end });
}

/** Less the removals, but for what of them was passed over. */
function cut(text: string, removals: readonly Range[], passedOver: readonly Range[]): string {
  const kept: string[] = [];
  let position = 0;
  let next = 0;
  for (const { start, end } of removals) {
    kept.push(text.slice(position, start));
    // `<[INTERNAL:script>` is text and must not become a tag. The space is as neutral to the stack as the `<` is.
    if (text[start - 1] === '<') kept.push(' ');
    for (let range = passedOver[next]; range !== undefined && range.start < end; range = passedOver[++next]) {
      if (range.start >= start) kept.push(text.slice(range.start, range.end));
    }
    position = end;
  }
  kept.push(text.slice(position));
  return kept.join('');
}
