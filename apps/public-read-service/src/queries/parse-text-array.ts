/**
 * Reads an array of texts in PostgreSQL's own notation (`{a,"b c"}`): one dimension, no nulls. Several times faster
 * than having `pg` or `JSON.parse` do it, and each blog of each read has two.
 */
export function parseTextArray(literal: string): string[] {
  if (literal === '{}') return [];
  if (!literal.includes('"')) return literal.slice(1, -1).split(',');
  const texts: string[] = [];
  const end = literal.length - 1;
  let at = 1;
  while (at < end) {
    const isQuoted = literal[at] === '"';
    const close = isQuoted ? closingQuote(literal, at + 1) : nextComma(literal, at, end);
    const raw = literal.slice(isQuoted ? at + 1 : at, close);
    texts.push(raw.includes('\\') ? raw.replaceAll(/\\(.)/gsu, '$1') : raw);
    at = close + (isQuoted ? 2 : 1);
  }
  return texts;
}

function closingQuote(literal: string, from: number): number {
  let at = from;
  while (literal[at] !== '"') {
    if (at >= literal.length) throw new TypeError('Unterminated array literal.');
    at += literal[at] === '\\' ? 2 : 1;
  }
  return at;
}

function nextComma(literal: string, from: number, end: number): number {
  const comma = literal.indexOf(',', from);
  return comma === -1 ? end : comma;
}
