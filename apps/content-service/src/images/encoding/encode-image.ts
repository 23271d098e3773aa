import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { MAX_ANIMATION_PIXELS, MAX_FRAMES, MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from '../image-limits.ts';
import type { EncodedImage, EncodingAnswer, EncodingTask } from './encoding-task.ts';
import type { ImageFormat } from './sniff-image.ts';

// Loaded by the encoding process alone: it takes much memory, and reads what strangers have sent.

/** Only these of libvips' decoders may run: without them sharp also reads SVG, TIFF, PDF and more. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });
sharp.cache(false);
sharp.concurrency(1);

/** What sharp calls the formats. */
const DECODED: Readonly<Record<ImageFormat, string>> = {
  jpg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'heif',
  gif: 'gif',
};

/** An original is read again and again, so it loses little. */
const ORIGINAL = { jpeg: { quality: 90 }, webp: { quality: 88 }, avif: { quality: 70 } };
/** A WebP without loss stays without. */
const LOSSLESS_ORIGINAL = { ...ORIGINAL, webp: { ...ORIGINAL.webp, lossless: true } };
/** A variant is made for one size, so it may lose more. */
const VARIANT = { jpeg: { quality: 80 }, webp: { quality: 78 }, avif: { quality: 50 } };

/** Says no to the image. The message is a clause about it. */
class EncodingRefused extends Error {}

/** Does one task; what is wrong with the image is an answer. */
export async function encodeImage(task: EncodingTask): Promise<EncodingAnswer> {
  try {
    return { image: await (task.kind === 'original' ? encodeOriginal(task) : encodeVariant(task)) };
  } catch (error) {
    return {
      refused: error instanceof EncodingRefused ? error.message : `is corrupt or truncated: ${reasonOf(error)}`,
    };
  }
}

/** The whole image in its own format, upright, without metadata. */
async function encodeOriginal({ bytes, format }: EncodingTask): Promise<EncodedImage> {
  const { width, height, pages } = await readHeader(bytes, format);
  const isAnimated = pages > 1 && (format === 'gif' || format === 'webp');
  if (isAnimated) checkAnimation({ width, height, pages });
  const options = { ...SAFE, ...(isAnimated && { animated: true, limitInputPixels: MAX_ANIMATION_PIXELS }) };
  const input = sharp(bytes, options);
  // Frames are one below the other: they cannot be turned.
  const upright = isAnimated ? input : input.autoOrient();
  const isLossless = format === 'webp' && bytes.toString('latin1', 12, 16) === 'VP8L';
  return write(writeAs(upright, format, isLossless ? LOSSLESS_ORIGINAL : ORIGINAL), isAnimated);
}

/** A smaller one of the original, in a format that may be another. */
async function encodeVariant({ bytes, ...task }: Extract<EncodingTask, { kind: 'variant' }>): Promise<EncodedImage> {
  const resized = sharp(bytes, SAFE).resize({ width: task.width, withoutEnlargement: true });
  return write(writeAs(resized, task.format, VARIANT), false);
}

const SAFE: SharpOptions = { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'warning', sequentialRead: true };

interface Header {
  readonly width: number;
  readonly height: number;
  readonly pages: number;
}

/** Reads no pixels. */
async function readHeader(bytes: Buffer, format: ImageFormat): Promise<Header> {
  // Without sharp's own limit, whose message does not name the size.
  const {
    format: decoded,
    compression,
    ...header
  } = await sharp(bytes, { ...SAFE, limitInputPixels: false }).metadata();
  const { width = 0, height = 0, pages = 1 } = header as Partial<Header>;
  if (decoded !== DECODED[format] || (format === 'avif' && compression !== 'av1')) {
    throw new EncodingRefused(`does not match its ${format} header`);
  }
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
    throw new EncodingRefused(`must have sides of at most ${MAX_IMAGE_SIDE} pixels (got ${width} × ${height})`);
  }
  if (width * height > MAX_IMAGE_PIXELS) {
    throw new EncodingRefused(
      `must have at most ${MAX_IMAGE_PIXELS / 1e6} megapixels (got ${width} × ${height} pixels)`,
    );
  }
  return { width, height, pages };
}

function checkAnimation({ width, height, pages }: Header): void {
  if (pages > MAX_FRAMES) throw new EncodingRefused(`must have at most ${MAX_FRAMES} frames (got ${pages})`);
  if (width * height * pages > MAX_ANIMATION_PIXELS) {
    throw new EncodingRefused(
      `must have at most ${MAX_ANIMATION_PIXELS / 1e6} megapixels in all frames (got ${pages} frames of ${width} × ${height} pixels)`,
    );
  }
}

function writeAs(image: Sharp, format: ImageFormat, { jpeg, webp, avif }: typeof ORIGINAL): Sharp {
  switch (format) {
    case 'jpg':
      return image.jpeg(jpeg);
    case 'png':
      return image.png();
    case 'webp':
      return image.webp({ ...webp, effort: 3 });
    case 'avif':
      // More effort takes five times as long for a tenth of the bytes, and whole colours twice the memory.
      return image.avif({ ...avif, effort: 1, chromaSubsampling: '4:2:0' });
    case 'gif':
      return image.gif({ effort: 3 });
  }
}

async function write(image: Sharp, isAnimated: boolean): Promise<EncodedImage> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.pageHeight ?? info.height, isAnimated };
}

/** The decoder's first line. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').slice(0, 200) : 'for an unknown reason';
