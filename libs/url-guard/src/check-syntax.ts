import type { AddressPolicy } from './addresses/address-policy.ts';
import { judgeHost, judgeLiteral } from './addresses/judge-host.ts';

/** Why a URL was refused; `detail` says it in a sentence for the owner. */
export type UrlRefusalCode =
  | 'url_invalid'
  | 'url_too_long'
  | 'scheme_refused'
  | 'user_info_refused'
  | 'host_refused'
  | 'address_refused'
  | 'name_unresolved';

/** The outcome of checking a URL: the parsed URL, or the reason for refusing it. */
export type UrlVerdict = { ok: true; url: URL } | { ok: false; code: UrlRefusalCode; detail: string };

/** Longest URL taken, in characters, both as given and as normalised. */
export const MAX_URL_LENGTH = 2_048;

const refuse = (code: UrlRefusalCode, detail: string): UrlVerdict => ({ ok: false, code, detail });

/**
 * Checks everything about a URL that needs no DNS: length, scheme, user info, port, the host's name or address. Blanks
 * and letters outside ASCII in the path or query are percent-encoded: what counts is the `href` of the URL given back.
 * Spellings on which URL parsers differ (backslashes, blanks before or after, a missing `//`) are refused rather than
 * repaired.
 */
export function checkSyntax(text: string, policy: { allowHttp: boolean; addresses: AddressPolicy }): UrlVerdict {
  const tooLong = refuse('url_too_long', `The URL is longer than ${String(MAX_URL_LENGTH)} characters.`);
  if (text.length > MAX_URL_LENGTH) return tooLong;
  if (text !== text.trim()) return refuse('url_invalid', 'The URL has leading or trailing whitespace.');
  if (/[\p{Cc}\\]/u.test(text) || !text.isWellFormed()) {
    return refuse(
      'url_invalid',
      'The URL contains control characters, invalid characters or backslashes. Percent-encode them.',
    );
  }
  const url = URL.parse(text);
  if (url === null) return refuse('url_invalid', 'The URL must be absolute with a valid host.');
  if (url.href.length > MAX_URL_LENGTH) return tooLong;
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    return refuse(
      'scheme_refused',
      policy.allowHttp ? 'The URL must start with https:// or http://.' : 'The URL must start with https://.',
    );
  }
  const authority = /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return refuse('url_invalid', 'The URL must look like https://example.com/path.');
  if (authority.includes('@')) {
    return refuse('user_info_refused', 'The URL must not contain a user name or password. Use a custom header.');
  }
  if (url.port === '0') return refuse('url_invalid', 'Port 0 is not allowed.');
  const host = judgeHost(url.hostname, policy.addresses);
  if (host.kind === 'refused') return refuse('host_refused', host.detail);
  if (host.kind === 'address') {
    const literal = judgeLiteral(host.address, policy.addresses);
    if (!literal.allowed) return refuse('address_refused', literal.detail);
  }
  return { ok: true, url };
}
