import { escapeHtml } from '@blog-content/link-resolver';
import { Parser } from 'htmlparser2';
import { variantName, variantsOf, type ImageShape, type ImageVariant } from '../../images/variants/image-variants.ts';

/** A stored image that content may show. */
export interface ShownImage extends ImageShape {
  /** Of its original. */
  readonly url: string;
  readonly alt: string;
}

type Attributes = Readonly<Record<string, string>>;

/** Most images of a content that get smaller variants: each takes some 2,000 characters. */
const MAX_WITH_VARIANTS = 200;
/** How wide a text column is, in pixels: no site shows an image of a post wider but on a small screen. */
const COLUMN_WIDTH = 960;
/** Best first: a browser takes the first that it can show. */
const SOURCES = [
  { ext: 'avif', type: 'image/avif' },
  { ext: 'webp', type: 'image/webp' },
] as const;

/**
 * Writes into the content what browsers need to know of the project's own images: their size, so that nothing jumps
 * when they come; that they may come late; smaller variants; and an alt text where the author says none. What the
 * author has written stays, and `src` stays character for character (contract §2.4.5).
 *
 * @param html cleaned, without the hero.
 * @param images those that the content shows; an `<img>` of any other URL stays as it is.
 */
export function decorateImages(html: string, images: readonly ShownImage[]): string {
  const byUrl = new Map(images.map((image) => [image.url, image]));
  let written = '';
  let from = 0;
  let pictures = 0;
  let decorated = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'picture') pictures += 1;
      const image = name === 'img' ? byUrl.get(attributes['src'] ?? '') : undefined;
      if (image === undefined) return;
      const { startIndex, endIndex } = parser;
      // An author who names sources of their own wants no others.
      const hasOwnSources = pictures > 0 || attributes['srcset'] !== undefined;
      const getsVariants = !hasOwnSources && decorated < MAX_WITH_VARIANTS;
      if (getsVariants) decorated += 1;
      const variants = getsVariants ? variantsOf(image) : [];
      written += html.slice(from, startIndex);
      written += decorate(html.slice(startIndex, endIndex + 1), attributes, image, variants);
      from = endIndex + 1;
    },
    onclosetag(name) {
      if (name === 'picture') pictures -= 1;
    },
  });
  parser.end(html);
  return written + html.slice(from);
}

/** @param tag the `<img>` as it is written. */
function decorate(tag: string, attributes: Attributes, image: ShownImage, variants: readonly ImageVariant[]): string {
  const sizes = attributes['sizes'] ?? sizesOf(attributes, image);
  const srcsetOf = (ext: string) =>
    variants
      .filter((variant) => variant.ext === ext)
      .map((variant) => `${image.url.slice(0, -`.${image.ext}`.length)}-${variantName(variant)} ${variant.width}w`);
  const own = srcsetOf(image.ext);
  const added = {
    ...(image.alt !== '' && { alt: image.alt }),
    ...sizeAttributes(attributes, image),
    loading: 'lazy',
    decoding: 'async',
    ...(own.length > 0 && { srcset: [...own, `${image.url} ${image.width}w`].join(', '), sizes }),
  };
  const missing = Object.entries(added).filter(([name]) => attributes[name] === undefined);
  const [end = '>'] = /(?<!\s)\s*\/?>$/.exec(tag) ?? [];
  const img =
    tag.slice(0, -end.length) + missing.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('') + end;
  const sources = SOURCES.filter(({ ext }) => ext !== image.ext).flatMap(({ ext, type }) => {
    const srcset = srcsetOf(ext);
    return srcset.length === 0
      ? []
      : [`<source type="${type}" srcset="${srcset.join(', ')}" sizes="${escapeHtml(sizes)}" />`];
  });
  return sources.length === 0 ? img : `<picture>${sources.join('')}${img}</picture>`;
}

/** The size of the image, in the shape that it has; nothing where the author gives it one by another way. */
function sizeAttributes({ width, height, style = '' }: Attributes, image: ShownImage): Record<string, string> {
  if (/(?:^|[;\s-])(?:width|height|aspect-ratio)\s*:/i.test(style)) return {};
  if (width === undefined && height === undefined) return { width: String(image.width), height: String(image.height) };
  const [wide, high] = [pixelsOf(width), pixelsOf(height)];
  if (height === undefined && wide !== null) return { height: String(Math.round((wide * image.height) / image.width)) };
  if (width === undefined && high !== null) return { width: String(Math.round((high * image.width) / image.height)) };
  return {};
}

/** How wide it is shown at most. */
function sizesOf({ width }: Attributes, image: ShownImage): string {
  const shown = pixelsOf(width) ?? Math.min(image.width, COLUMN_WIDTH);
  return `(max-width: ${shown}px) 100vw, ${shown}px`;
}

/** Null for a percentage, and for none. */
function pixelsOf(size: string | undefined): number | null {
  const [, pixels] = /^(\d{1,5})(?:\.\d+)?(?:px)?$/.exec(size ?? '') ?? [];
  return pixels === undefined ? null : Number(pixels);
}
