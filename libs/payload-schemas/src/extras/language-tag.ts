import { z } from 'zod';

/** Longest tag: what RFC 5646 §4.4.1 asks everyone to have room for. */
const MAX_LANGUAGE_TAG = 35;
/** Longer first parts are well-formed, but none is registered: "german" is a mistake. */
const STARTS_WITH_LANGUAGE = /^[a-z]{2,3}(?:-|$)/i;

/** @returns the tag in its canonical form, for example `pt-BR` for `PT-br`; null if it isn't one (BCP 47). */
export function canonicalLanguage(tag: string): string | null {
  if (tag.length > MAX_LANGUAGE_TAG || !STARTS_WITH_LANGUAGE.test(tag)) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** A language tag (BCP 47), which becomes canonical. */
export const languageTag = z
  .string()
  .trim()
  .max(MAX_LANGUAGE_TAG)
  .refine((tag) => canonicalLanguage(tag) !== null, {
    error: ({ input }) => `must be a language tag ${exampleFor(String(input))}`,
  })
  .overwrite((tag) => canonicalLanguage(tag) ?? tag);

function exampleFor(tag: string): string {
  const meant = canonicalLanguage(tag.replaceAll('_', '-'));
  return meant === null ? 'such as “de”, “pt-BR” or “zh-Hant”' : `with hyphens: “${meant}”`;
}
