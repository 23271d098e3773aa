/** The smallest variant of an image of the library (`image-variants.ts` of content-service). */
const VARIANT = '-480.webp';
const OWN_IMAGE = /(\/[0-9a-f-]{36}\/[0-9a-f]{64})\.(?:png|jpe?g|webp|avif)$/;

/**
 * The URLs of a picture in a list, the smallest first. Images that are narrow, or were just uploaded, don't have the
 * variant, and those of other hosts have none.
 */
export function thumbnailUrls(url: string | null): readonly string[] {
  if (url === null) return [];
  return OWN_IMAGE.test(url) ? [url.replace(OWN_IMAGE, `$1${VARIANT}`), url] : [url];
}
