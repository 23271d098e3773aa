const MAX_SLUG = 200;
/** Path segment of the sitemap endpoint (contract §4.3). */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(['sitemap']);

/** Letters that Unicode decomposition leaves as they are, and two alphabets by their usual transliteration. */
const TRANSLITERATION: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ŋ: 'ng', ĸ: 'k',
  а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', є: 'ye', ж: 'zh', з: 'z', и: 'i', і: 'i', к: 'k', л: 'l',
  м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh',
  щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya',
  α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x',
  ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o',
}; // prettier-ignore

/**
 * A slug made from a title: lowercase ASCII words joined by hyphens, at most 200 characters (contract "Slugs").
 * `post` when the title has no letter or digit that can be written in ASCII.
 */
export function slugify(title: string): string {
  // Decomposed first: of `№` and `𝐇` that makes capitals. A trade mark is no word.
  const ascii = [...title.replace(/[™℠]/g, ' ').normalize('NFKD').toLowerCase()]
    .map((character) => TRANSLITERATION[character] ?? character)
    .join('')
    .replace(/\p{M}|['’]/gu, '');
  const words = ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
  return cut(words, MAX_SLUG) || 'post';
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
