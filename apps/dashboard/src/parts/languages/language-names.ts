/** Languages to choose from, as BCP 47 tags. Any other can be typed. */
const TAGS =
  'af ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-419 es-MX et eu fa fi fil fr fr-CA fr-CH ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lt lv mk ml mr ms mt nb ne nl nl-BE nn pa pl pt-BR pt-PT ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh-Hans zh-Hant';

/** What a tag is called, in English unless another language is named. An unknown tag is its own name. */
export function languageName(tag: string, inLanguage = 'en'): string {
  try {
    return new Intl.DisplayNames([inLanguage, 'en'], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The name in English and, where it differs, what its speakers call it: “German · Deutsch”. */
export function fullLanguageName(tag: string): string {
  const [english, native] = [languageName(tag), languageName(tag, tag)];
  return native.toLowerCase() === english.toLowerCase() ? english : `${english} · ${native}`;
}

/** The tag in its canonical form; null for a text that is none. */
export function canonicalTag(text: string): string | null {
  if (!/^[a-z]{2,3}(?:-|$)/i.test(text.trim())) return null;
  try {
    return Intl.getCanonicalLocales(text.trim())[0] ?? null;
  } catch {
    return null;
  }
}

/** What a list offers, sorted by name. @param chosen a tag that is in it, too, whether or not it is common. */
export function languageChoices(chosen: string | null, without: ReadonlySet<string> = new Set()) {
  const tags = new Set([...TAGS.split(' '), ...(chosen === null ? [] : [chosen])]);
  return [...tags]
    .filter((tag) => !without.has(tag))
    .map((value) => ({ value, label: fullLanguageName(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
}
