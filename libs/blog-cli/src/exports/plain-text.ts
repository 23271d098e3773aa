const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};
const MAX_CODE_POINT = 0x10ffff;
/** Elements that stand in titles and excerpts. Anything else in angle brackets is text that nobody has escaped. */
const TAG =
  /<\/?(?:a|abbr|b|br|cite|code|del|div|em|i|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?\/?>/gi;

/** The text of HTML as WordPress keeps it in titles, excerpts and names of categories. */
export function plainText(html: string): string {
  return html
    .replaceAll(TAG, (tag) => (/^<\/?(?:br|div|p)\b/i.test(tag) ? ' ' : ''))
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hexadecimal, name) => {
      if (name !== undefined) return NAMED[String(name)] ?? whole;
      const code = decimal === undefined ? parseInt(String(hexadecimal), 16) : Number(decimal);
      return code > 0 && code <= MAX_CODE_POINT ? String.fromCodePoint(code) : whole;
    })
    .replaceAll(/\s+/g, ' ')
    .trim();
}
