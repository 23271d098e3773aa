import type { ImageFormat } from '../encoding/sniff-image.ts';

/** A smaller one of an image, or one in another format. */
export interface ImageVariant {
  readonly width: number;
  readonly ext: ImageFormat;
}

/** What variants follow from. */
export interface ImageShape {
  readonly ext: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
}

/** Widths of variants, in pixels; beside them the image's own up to the largest of them. */
const VARIANT_WIDTHS = [480, 960, 1_600];
const MAX_VARIANT_WIDTH = Math.max(...VARIANT_WIDTHS);
/** WebP cannot have a longer side. */
const MAX_WEBP_SIDE = 16_383;

/**
 * The variants of an image, in the order in which they are made: what takes longest last. They follow from the image
 * alone, so a post can name them before they are there. An animated image has none.
 */
export function variantsOf({ ext, width, height, isAnimated }: ImageShape): ImageVariant[] {
  if (isAnimated) return [];
  const smaller = VARIANT_WIDTHS.filter((one) => one < width);
  const own = width <= MAX_VARIANT_WIDTH ? [width] : [];
  const formats = [...new Set<ImageFormat>(['webp', ext, 'avif'])];
  return formats
    .flatMap((format) => (format === ext ? smaller : [...smaller, ...own]).map((one) => ({ width: one, ext: format })))
    .filter((variant) => variant.ext !== 'webp' || (height * variant.width) / width <= MAX_WEBP_SIDE);
}

/** The end of its name: `480.webp`. */
export const variantName = ({ width, ext }: ImageVariant): string => `${width}.${ext}`;
