import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Custom headers of one integration: names as the owner wrote them. */
export type CustomHeaders = Readonly<Record<string, string>>;

export interface HeaderProblem {
  /** Dotted path in the request, e.g. `headers.Host`. */
  readonly field: string;
  readonly message: string;
}

/** The service sets these itself: a custom one is ignored (contract §5.2.6). */
const IGNORED = new Set(['content-type', 'x-webhook-signature', 'x-legacy-signature']);

/** Framing and hop-by-hop headers: a custom one could change where a request ends or who reads it. */
const REFUSED = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'keep-alive',
]);

/** The headers that are sent: all but the ignored ones, unchanged. */
export function sentHeaders(headers: CustomHeaders): CustomHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !IGNORED.has(name.toLowerCase())));
}

/** What is wrong with custom headers at save (contract §4.7); empty when they are fine. */
export function checkHeaders(headers: CustomHeaders): HeaderProblem[] {
  const seen = new Set<string>();
  return Object.entries(sentHeaders(headers)).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const message = problemWith(name, lower, value) ?? (seen.has(lower) ? 'is a duplicate' : null);
    seen.add(lower);
    return message === null ? [] : [{ field: `headers.${name}`, message }];
  });
}

function problemWith(name: string, lower: string, value: string): string | null {
  if (REFUSED.has(lower) || lower.startsWith('proxy-')) return 'cannot be set: it is managed by the connection';
  try {
    validateHeaderName(name);
  } catch {
    return 'is not a valid header name';
  }
  try {
    validateHeaderValue(name, value);
  } catch {
    return 'has a value that is invalid in a header';
  }
  return null;
}
