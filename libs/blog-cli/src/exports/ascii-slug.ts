import anyAscii from 'any-ascii';

/** Names whose letters can be told from their slug; others may make the same one (`章` and `张`: `zhang`). */
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\d\s._-]*$/u;

export const isAlphabetic = (name: string): boolean => ALPHABETIC.test(name.normalize());

/** A name in lowercase ASCII words joined by hyphens; empty where nothing of it can be written so. */
export function asciiSlug(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(DIACRITICS, '')
    .normalize('NFC')
    .replace(/\p{Script=Han}/gu, (sign) => ` ${anyAscii(sign)} `)
    .replace(/[\p{L}\p{M}\p{N}]/gu, (letter) => anyAscii(letter).replace(/[`']/g, ''));
  return hyphenated(letters) || hyphenated(anyAscii(letters));
}

/** Accents of any alphabet; not the voicing marks of kana, which make other syllables. */
const DIACRITICS = /(?![\u3099\u309A])(?=\p{M})\p{Script=Inherited}/gu;

const hyphenated = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
