/** What an image is stored as; also the end of its key. */
export type ImageFormat = 'jpg' | 'png' | 'webp' | 'avif' | 'gif';

const PNG_MAGIC = '\x89PNG\r\n\x1a\n';
const AVIF_BRANDS = new Set(['avif', 'avis']);
/** Brands that are looked at in the first box of a file. */
const MAX_BRANDS = 32;
/** How much of a text is looked at for what it is. */
const TEXT_START = 1_024;

/**
 * What the bytes are by their first ones, regardless of what their sender calls them; null for what is not stored. Only
 * the decoder knows whether they are good.
 */
export function sniffImage(bytes: Buffer): ImageFormat | null {
  if (bytes.length >= 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpg';
  if (bytes.toString('latin1', 0, 8) === PNG_MAGIC) return 'png';
  if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  if (/^RIFF[^]{4}WEBP$/.test(bytes.toString('latin1', 0, 12))) return 'webp';
  return brandsOf(bytes).some((brand) => AVIF_BRANDS.has(brand)) ? 'avif' : null;
}

/** What the bytes seem to be, for the message to who sent them: what is not stored has a name all the same. */
export function nameOther(bytes: Buffer): string {
  if (brandsOf(bytes).some((brand) => /^(?:hei|hev|mif1|msf1)/.test(brand))) return 'HEIC';
  const start = bytes.toString('latin1', 0, TEXT_START);
  if (/<svg[\s>]/i.test(start)) return 'SVG';
  if (/^\s*<(?:!doctype html|html|head|body|script)/i.test(start)) return 'HTML';
  if (/^(?:II\*\0|MM\0\*)/.test(start)) return 'TIFF';
  if (start.startsWith('BM')) return 'BMP';
  if (start.startsWith('%PDF')) return 'PDF';
  return 'no known image format';
}

/** The brands of an ISO base media file, such as AVIF and HEIC are; none for anything else. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 16 + 4 * MAX_BRANDS);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  return brands;
}
