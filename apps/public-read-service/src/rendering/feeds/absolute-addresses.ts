import { escapeHtml, tokenizeHtml, urlWithoutPlaceholders, type Tag } from '@blog-content/link-resolver';
import { decodeHTML } from 'entities';

const ADDRESSES = new Set(['href', 'src', 'poster', 'cite']);
/** What most contents do not match: an address without a scheme, or several in one attribute. */
const MAY_BE_RELATIVE = /\b(?:href|src|poster|cite)\s*=(?!["'](?:https?|mailto|tel):)|\bsrcset\s*=/i;
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/**
 * The content with whole addresses, for those who read it elsewhere than on its page: feeds have no base, and readers
 * would resolve against the feed's address or not at all. What has a scheme stays byte for byte.
 *
 * @param page the post's own address.
 */
export function withAbsoluteAddresses(html: string, page: string): string {
  if (!MAY_BE_RELATIVE.test(html) || !URL.canParse(page)) return html;
  const pieces: string[] = [];
  let written = 0;
  for (const token of tokenizeHtml(html)) {
    if (token.kind !== 'tag' || token.closing) continue;
    for (const { start, end, value } of replacementsIn(token, html, page)) {
      pieces.push(html.slice(written, start), value);
      written = end;
    }
  }
  pieces.push(html.slice(written));
  return pieces.join('');
}

function* replacementsIn({ attributes }: Tag, html: string, page: string) {
  for (const { name, valueStart, valueEnd, end } of attributes) {
    const isList = name === 'srcset';
    if (valueStart === valueEnd || (!isList && !ADDRESSES.has(name))) continue;
    const given = decodeHTML(html.slice(valueStart, valueEnd));
    const whole = isList ? wholeCandidates(given, page) : wholeAddress(given, page);
    // An address that would spell a placeholder without its line breaks is left alone.
    if (whole === given || urlWithoutPlaceholders(whole) === null) continue;
    const isQuoted = end > valueEnd;
    const value = escapeHtml(whole);
    yield { start: valueStart, end: valueEnd, value: isQuoted ? value : `"${value}"` };
  }
}

function wholeAddress(given: string, page: string): string {
  const address = given.trim();
  if (address === '' || HAS_SCHEME.test(address) || !URL.canParse(address, page)) return given;
  return new URL(address, page).href;
}

/** Addresses with their widths or densities, by commas (WHATWG HTML §4.8.4.2.1). */
function wholeCandidates(given: string, page: string): string {
  return given.replace(/([^\s,](?:\S*[^\s,])?)(,+(?=\s|$)|\s+[^\s,]+|)/g, (_whole, address: string, rest: string) => {
    return wholeAddress(address, page).replaceAll(',', '%2C') + rest;
  });
}
