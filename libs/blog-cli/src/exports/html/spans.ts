/** What begins and ends a part of a text. */
export interface Span {
  /** Global; must not look far: it is tried at each place. */
  readonly begins: RegExp;
  /** Global. @param begin what `begins` has matched. */
  readonly endOf: (begin: RegExpExecArray) => RegExp;
}

/** A part of a text. */
export interface FoundSpan {
  readonly begin: RegExpExecArray;
  /** From its beginning to its end. */
  readonly whole: string;
  /** The text between these. */
  readonly inner: string;
}

/**
 * Replaces each part from one beginning to the next end. One without an end is no part. The time grows with the length
 * of any text, which it would not with one regular expression for both.
 */
export function replaceSpans(text: string, span: Span, change: (found: FoundSpan) => string): string {
  return splitAtSpans(text, span)
    .map((part) => (typeof part === 'string' ? part : change(part)))
    .join('');
}

/** Changes the text outside of the parts. */
export function changeOutside(text: string, span: Span, change: (outside: string) => string): string {
  return splitAtSpans(text, span)
    .map((part) => (typeof part === 'string' ? change(part) : part.whole))
    .join('');
}

export const spansOf = (text: string, span: Span): FoundSpan[] =>
  splitAtSpans(text, span).filter((part) => typeof part !== 'string');

function splitAtSpans(text: string, { begins, endOf }: Span): (string | FoundSpan)[] {
  const parts: (string | FoundSpan)[] = [];
  /** Ends that do not come any more. */
  const gone = new Set<string>();
  const beginning = new RegExp(begins);
  let from = 0;
  for (let begin = beginning.exec(text); begin !== null; begin = beginning.exec(text)) {
    const ending = new RegExp(endOf(begin));
    if (gone.has(ending.source)) continue;
    ending.lastIndex = beginning.lastIndex;
    const end = ending.exec(text);
    if (end === null) {
      gone.add(ending.source);
      continue;
    }
    const whole = text.slice(begin.index, ending.lastIndex);
    parts.push(text.slice(from, begin.index), { begin, whole, inner: text.slice(beginning.lastIndex, end.index) });
    from = beginning.lastIndex = ending.lastIndex;
  }
  return [...parts, text.slice(from)];
}

/** Comments of HTML. */
export const COMMENT: Span = { begins: /<!--/g, endOf: () => /-->/g };

const elements = (names: string): Span => ({
  begins: new RegExp(`<(${names})(?=[\\s>])`, 'gi'),
  endOf: ([, name = '']) => new RegExp(`</${name.toLowerCase()}>`, 'gi'),
});

/** Elements whose text is no text of the post's, or is shown as it is written. */
export const CODE = elements('pre|code|script|style');

/** Elements whose white space is content. */
export const PREFORMATTED = elements('pre|script|style|textarea');
