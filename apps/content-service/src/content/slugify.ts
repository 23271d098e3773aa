import anyAscii from 'any-ascii';

const MAX_SLUG = 200;
/** Path segment of the sitemap endpoint (contract §4.3). */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['sitemap']);

/** Letters that decomposition leaves as they are, two alphabets, and letters that any-ascii makes an apostrophe. */
const TRANSLITERATION: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'ng', ĸ: 'k',
  а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', є: 'ye', ж: 'zh', з: 'z', и: 'i', і: 'i', к: 'k', л: 'l',
  м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh',
  щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya',
  α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x',
  ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o',
  ا: 'a', ع: 'a', א: 'a', ע: 'a',
}; // prettier-ignore

/** What a title makes that has no letter, digit or symbol to write in ASCII. */
const FALLBACK = 'post';

/** How German writes umlauts where it has none (DIN 5007-2); other languages have the letters with other sounds. */
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/**
 * A slug made from a title: lowercase ASCII words joined by hyphens, at most 200 characters (contract §2.6).
 * @param language of the title, as a BCP 47 tag, if it is known
 */
export function slugify(title: string, language: string | null = null): string {
  const isGerman = language !== null && /^de(?:-|$)/i.test(language);
  const letters = isGerman
    ? title
        .normalize('NFC')
        .toLowerCase()
        .replace(/[äöü]/g, (umlaut) => UMLAUTS[umlaut]!)
    : title;
  return slugOf(letters) ?? FALLBACK;
}

/** The slug that a text makes; null when nothing of it can be written in ASCII. */
export function slugOf(text: string): string | null {
  // Decomposed first: of `№` and `𝐇` that makes capitals. A trade mark is no word.
  const letters = text
    .replace(/[™℠]/g, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(DIACRITICS, '')
    .normalize('NFC')
    .replace(/[\p{L}\p{M}\p{N}]/gu, transliterate);
  // Symbols and emoji are left out of words, but kept where there is nothing else.
  return hyphenated(letters) || hyphenated(anyAscii(letters).toLowerCase()) || null;
}

/** Accents of any alphabet; not the voicing marks of kana, which make other syllables. */
const DIACRITICS = /(?![\u3099\u309A])(?=\p{M})\p{Script=Inherited}/gu;

function transliterate(character: string): string {
  const known = TRANSLITERATION[character];
  if (known !== undefined) return known;
  if (character < '\u0080' || /\p{Script_Extensions=Common}/u.test(character)) return character;
  const ascii = anyAscii(character).toLowerCase().replace(/[`']/g, '');
  // Chinese puts no space between words: a syllable each is what readers know from other sites.
  return /\p{Script=Han}/u.test(character) ? ` ${ascii} ` : ascii;
}

function hyphenated(text: string): string {
  const words = text.replace(/['’׳״]/gu, '').replace(/[^a-z0-9]+/g, '-');
  return cut(words.replace(/^-|-$/g, ''), MAX_SLUG);
}

/** The slug to try in the `attempt`-th place (1, 2, 3, …) when the ones before are taken: `a`, `a-2`, `a-3`, … */
export function numberedSlug(slug: string, attempt: number): string {
  if (attempt === 1) return slug;
  const suffix = `-${attempt}`;
  return cut(slug, MAX_SLUG - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, '');
}
