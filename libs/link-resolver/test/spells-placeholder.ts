/*
 * Another way to tell whether a text spells `[INTERNAL:`, sharing nothing with the sources: it decodes the whole text
 * the way a browser would, references first, then percent escapes, once each.
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

function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

function decodeReferences(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+);?|#([0-9]+);?|([a-z]+);)/gi,
    (reference, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMES[name.toLowerCase()] ?? reference;
      const code = hex === undefined ? parseInt(decimal!, 10) : parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}

/** Whether a reader who decodes nothing, references, percent escapes or both sees `[INTERNAL:` in any case. */
export function spellsPlaceholder(text: string): boolean {
  const references = decodeReferences(text);
  const readings = [text, references, decodePercent(text), decodePercent(references)];
  return readings.some((reading) => /\[internal:/i.test(reading));
}
