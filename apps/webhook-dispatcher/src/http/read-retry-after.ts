/** Milliseconds a `Retry-After` value asks for (seconds or an HTTP date); null when it says neither. */
export function readRetryAfter(value: string, now: Date): number | null {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse reads much that is no HTTP date (a bare "-5", say): every HTTP date begins with a day's name.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
