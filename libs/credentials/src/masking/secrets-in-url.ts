import { looksLikeWords } from './looks-like-words.ts';

/** Names of parameters whose values are always credentials. */
const CREDENTIAL = /key|token|secret|sig|auth|pass|pwd|code|credential|hook/i;

/**
 * What of a URL is a secret, or may be: parts of the path and values of the query that do not look like words, and all
 * that follows the origin when there is such a part. `/api/content?format=markdown` holds nothing that a text would have
 * to hide.
 */
export function secretsInUrl(text: string): string[] {
  const { pathname, search, searchParams } = new URL(text);
  const parts = pathname.split('/').filter((part) => part !== '' && !looksLikeWords(decoded(part)));
  const values = [...searchParams]
    .filter(([name, value]) => value !== '' && (CREDENTIAL.test(name) || !looksLikeWords(value)))
    .map(([, value]) => value);
  if (parts.length + values.length === 0) return [];
  return [`${pathname}${search}`, ...(parts.length > 0 ? [pathname] : []), ...parts, ...values];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
