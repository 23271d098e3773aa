/*
 * Another way to tell whether a text spells `[INTERNAL:`, sharing nothing with the sources: it decodes the whole text
 * again and again until nothing changes, the way a browser, a proxy or a template engine further on might.
 */

const NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  colon: ':',
  lbrack: '[',
  lsqb: '[',
  rbrack: ']',
  rsqb: ']',
  num: '#',
  percnt: '%',
  semi: ';',
  lt: '<',
  gt: '>',
  quot: '"',
};

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

function decodeEntities(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]+)|([0-9]+));?/gi, (_, hex?: string, decimal?: string) =>
      codePoint(hex === undefined ? parseInt(decimal!, 10) : parseInt(hex, 16)),
    )
    .replace(/&([a-z]+);/gi, (reference, name: string) => NAMES[name.toLowerCase()] ?? reference)
    .replace(/&amp(?![a-z;])/gi, '&');
}

function decodeTerminatedEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi,
    (reference, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return codePoint(parseInt(hex, 16));
      if (decimal !== undefined) return codePoint(parseInt(decimal, 10));
      return NAMES[name!.toLowerCase()] ?? reference;
    },
  );
}

/** Readers differ in what they decode first and in whether they insist on semicolons. */
const READERS: readonly ((text: string) => string)[] = [
  (text) => decodePercent(decodeEntities(text)),
  (text) => decodeEntities(decodePercent(text)),
  (text) => decodePercent(decodeTerminatedEntities(text)),
  (text) => decodeTerminatedEntities(decodePercent(text)),
];

/** Whether any reader, decoding as often as it likes, ever sees `[INTERNAL:` in any case. */
export function spellsPlaceholder(text: string): boolean {
  return READERS.some((decode) => {
    let current = text;
    for (;;) {
      if (/\[internal:/i.test(current)) return true;
      const next = decode(current);
      if (next === current) return false;
      current = next;
    }
  });
}
