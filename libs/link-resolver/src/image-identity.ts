/**
 * What two spellings of one image's URL have in common: the URL in its normal form, with percent-escapes normalised as
 * well (RFC 3986 §6.2.2). To be compared, not to be requested.
 *
 * @param url as an attribute says it once its character references are decoded.
 */
export function imageIdentity(url: string): string {
  const normal = URL.parse(url)?.href ?? url.trim();
  return normal.replace(/%([\da-f]{2})/gi, (escape, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}
