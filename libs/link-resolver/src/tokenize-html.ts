/** An attribute of a tag, as offsets into the HTML. */
export interface Attribute {
  /** Lowercase. */
  readonly name: string;
  readonly nameStart: number;
  /** The value without its quotes; empty, at the end of the name, when there is none. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /** After the closing quote. */
  readonly end: number;
}

/** A start or end tag. */
export interface Tag {
  readonly kind: 'tag';
  readonly start: number;
  readonly end: number;
  /** Lowercase. */
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: readonly Attribute[];
}

/**
 * Anything else: `text`; `raw` text of an element that has no elements inside (`script`, `textarea`, …); a `comment`
 * (also a doctype and what HTML reads as a comment, `<?…>`); or an `unfinished` tag that the HTML ends in.
 */
export interface Passage {
  readonly kind: 'text' | 'raw' | 'comment' | 'unfinished';
  readonly start: number;
  readonly end: number;
}

type Token = Tag | Passage;

/** Elements whose content is text up to their end tag, even if it looks like markup. */
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

/**
 * Cuts HTML into tokens the way browsers do (WHATWG HTML §13.2.5). The tokens are adjacent and cover the HTML, so
 * writing them all out gives it back byte for byte. Never looks at a character more than a few times: every search
 * that finds nothing ends the last token.
 */
export function* tokenizeHtml(html: string): Generator<Token, void, undefined> {
  let textStart = 0;
  let position = html.indexOf('<');
  while (position !== -1) {
    const token = readMarkup(html, position);
    if (token === undefined) {
      position = html.indexOf('<', position + 1);
      continue;
    }
    if (position > textStart) yield { kind: 'text', start: textStart, end: position };
    yield token;
    textStart = token.end;
    if (token.kind === 'tag' && !token.closing && RAW_TEXT_ELEMENTS.has(token.name)) {
      const end = findEndTag(html, token.end, token.name);
      if (end > textStart) yield { kind: 'raw', start: textStart, end };
      textStart = end;
    }
    position = html.indexOf('<', textStart);
  }
  if (textStart < html.length) yield { kind: 'text', start: textStart, end: html.length };
}

/** Whether `</name` is at the position and is that element's end tag. */
export function isEndTagAt(html: string, position: number, name: string): boolean {
  const afterName = position + 2 + name.length;
  return (
    html.startsWith('</', position) &&
    html.slice(position + 2, afterName).toLowerCase() === name &&
    afterName < html.length &&
    (isSpace(html[afterName]) || html[afterName] === '/' || html[afterName] === '>')
  );
}

function findEndTag(html: string, from: number, name: string): number {
  if (name === 'plaintext') return html.length;
  let position = html.indexOf('</', from);
  while (position !== -1 && !isEndTagAt(html, position, name)) position = html.indexOf('</', position + 2);
  return position === -1 ? html.length : position;
}

/** Reads the markup that the `<` at `start` begins; undefined when it is only text. */
function readMarkup(html: string, start: number): Token | undefined {
  const next = html[start + 1];
  if (isLetter(next)) return readTag(html, start, start + 1, false);
  if (next === '/') {
    if (start + 2 >= html.length) return undefined;
    return isLetter(html[start + 2]) ? readTag(html, start, start + 2, true) : readBogusComment(html, start);
  }
  if (next === '!') return html.startsWith('--', start + 2) ? readComment(html, start) : readBogusComment(html, start);
  return next === '?' ? readBogusComment(html, start) : undefined;
}

function readBogusComment(html: string, start: number): Passage {
  const close = html.indexOf('>', start);
  return { kind: 'comment', start, end: close === -1 ? html.length : close + 1 };
}

function readComment(html: string, start: number): Passage {
  const content = start + '<!--'.length;
  if (html[content] === '>') return { kind: 'comment', start, end: content + 1 };
  if (html.startsWith('->', content)) return { kind: 'comment', start, end: content + 2 };
  let dashes = html.indexOf('--', content);
  while (dashes !== -1) {
    if (html[dashes + 2] === '>') return { kind: 'comment', start, end: dashes + 3 };
    if (html.startsWith('!>', dashes + 2)) return { kind: 'comment', start, end: dashes + 4 };
    dashes = html.indexOf('--', dashes + 1);
  }
  return { kind: 'comment', start, end: html.length };
}

function readTag(html: string, start: number, nameStart: number, closing: boolean): Token {
  let position = nameStart;
  while (position < html.length && !endsTagName(html[position])) position += 1;
  const name = html.slice(nameStart, position).toLowerCase();
  const attributes: Attribute[] = [];
  for (;;) {
    while (isSpace(html[position]) || html[position] === '/') position += 1;
    if (position >= html.length) return { kind: 'unfinished', start, end: html.length };
    if (html[position] === '>') return { kind: 'tag', start, end: position + 1, name, closing, attributes };
    const attribute = readAttribute(html, position);
    if (attribute === undefined) return { kind: 'unfinished', start, end: html.length };
    attributes.push(attribute);
    position = attribute.end;
  }
}

/** Undefined when the HTML ends before the closing quote. */
function readAttribute(html: string, nameStart: number): Attribute | undefined {
  // A `=` in the first place belongs to the name.
  let position = nameStart + 1;
  while (position < html.length && !endsTagName(html[position]) && html[position] !== '=') position += 1;
  const nameEnd = position;
  const name = html.slice(nameStart, nameEnd).toLowerCase();
  while (isSpace(html[position])) position += 1;
  if (html[position] !== '=') return { name, nameStart, valueStart: nameEnd, valueEnd: nameEnd, end: nameEnd };
  position += 1;
  while (isSpace(html[position])) position += 1;
  const quote = html[position];
  if (quote === '"' || quote === "'") {
    const close = html.indexOf(quote, position + 1);
    if (close === -1) return undefined;
    return { name, nameStart, valueStart: position + 1, valueEnd: close, end: close + 1 };
  }
  const valueStart = position;
  while (position < html.length && !isSpace(html[position]) && html[position] !== '>') position += 1;
  return { name, nameStart, valueStart, valueEnd: position, end: position };
}

function endsTagName(character: string | undefined): boolean {
  return isSpace(character) || character === '/' || character === '>';
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f';
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-z]/i.test(character);
}
