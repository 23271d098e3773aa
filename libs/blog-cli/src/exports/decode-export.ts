import { UnreadableExport } from './exported-post.ts';

/** The text of an export. */
export interface DecodedExport {
  readonly text: string;
  /** Whether bytes are none of its encoding: U+FFFD replaces each. */
  readonly isDamaged: boolean;
  /** What its encoding is called. */
  readonly encoding: string;
  /** What of it was left out, as sentences. */
  readonly notes: readonly string[];
}

/** How far a declaration may be from the beginning: errors of a site come before it. */
const MAX_PROLOG = 64 * 1024;

/**
 * The text of an XML file in the encoding that it declares (XML 1.0, section 4.3.3), without what a broken site has printed
 * before and after it.
 *
 * @throws UnreadableExport for an encoding that is not known
 */
export function decodeXml(bytes: Uint8Array): DecodedExport {
  const signed = signedEncoding(bytes) ?? wideEncoding(bytes, '<');
  const prolog = (signed === null ? latin1(bytes) : decode(bytes.subarray(0, MAX_PROLOG), signed).text).slice(
    0,
    MAX_PROLOG,
  );
  const [, declared = 'UTF-8'] = /<\?xml\s[^<>]{0,200}?encoding\s*=\s*["']([^"'<>]{1,40})["']/.exec(prolog) ?? [];
  // Bytes here are not in UTF-16, even if they declare it: that was checked before.
  const encoding = signed ?? (/^(?:utf-16|ucs-2)/i.test(declared) ? 'UTF-8' : declared);
  const decoded = decode(bytes, encoding);
  const { text, cut } = withoutProlog(decoded.text);
  const notes = cut === 0 ? [] : [`Ignored ${cut} characters around the XML, such as PHP errors.`];
  return { ...decoded, text, notes };
}

/** The text of a JSON file: UTF-8, or UTF-16. */
export function decodeJson(bytes: Uint8Array): DecodedExport {
  const decoded = decode(bytes, signedEncoding(bytes) ?? wideEncoding(bytes, '{') ?? 'UTF-8');
  return { ...decoded, text: decoded.text.replace(/^[\uFEFF\s]+/, ''), notes: [] };
}

/** What a byte order mark says. */
function signedEncoding([a, b, c, d]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'UTF-8';
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)) {
    throw new UnreadableExport('UTF-32 is not supported. Save the file as UTF-8.');
  }
  if (a === 0xff && b === 0xfe) return 'UTF-16LE';
  return a === 0xfe && b === 0xff ? 'UTF-16BE' : null;
}

/** UTF-16 without a byte order mark, by its first sign (XML 1.0, appendix F). */
function wideEncoding([a, b]: Uint8Array, first: string): string | null {
  const sign = first.charCodeAt(0);
  if (a === sign && b === 0) return 'UTF-16LE';
  return a === 0 && b === sign ? 'UTF-16BE' : null;
}

function decode(bytes: Uint8Array, encoding: string): Omit<DecodedExport, 'notes'> {
  // A subset of UTF-8, which is what such files are when they are more.
  const label = /^(?:us-)?ascii$/i.test(encoding) ? 'UTF-8' : encoding;
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(label);
  } catch {
    const shown = encoding.replace(/[^\x20-\x7E]/g, '?');
    throw new UnreadableExport(`Unknown encoding “${shown}”. Save the file as UTF-8.`);
  }
  // Node's own decoder of it leaves out what sets it apart from ISO-8859-1, in some versions.
  if (decoder.encoding === 'windows-1252') return { ...decodeWindows1252(bytes), encoding };
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return { text, isDamaged: false, encoding };
  } catch {
    return { text: decoder.decode(bytes), isDamaged: true, encoding };
  }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, MAX_PROLOG)).toString('latin1');

/** From 0x80 on. U+FFFD is what the encoding does not have. */
const WINDOWS_1252 = '€\uFFFD‚ƒ„…†‡ˆ‰Š‹Œ\uFFFDŽ\uFFFD\uFFFD‘’“”•–—˜™š›œ\uFFFDžŸ';

function decodeWindows1252(bytes: Uint8Array): { readonly text: string; readonly isDamaged: boolean } {
  const { buffer, byteOffset, byteLength } = bytes;
  const text = Buffer.from(buffer, byteOffset, byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9F]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
  return { text, isDamaged: text.includes('\uFFFD') };
}

/** From the declaration to the end of the feed. */
function withoutProlog(text: string): { readonly text: string; readonly cut: number } {
  const start = /<\?xml\s|<rss[\s>]/.exec(text.slice(0, MAX_PROLOG))?.index ?? 0;
  const close = text.lastIndexOf(CLOSING);
  const end = close < start ? text.length : close + CLOSING.length;
  const around = text.slice(0, start).replace(/[\uFEFF\s]+/g, '') + text.slice(end).replace(/[\uFEFF\s]+/g, '');
  const isComment = /^(?:<!--[^]*?-->)*$/.test(around);
  return { text: text.slice(start, end), cut: isComment ? 0 : around.length };
}

const CLOSING = '</rss>';
