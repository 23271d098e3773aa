/** Longer ones are cut in search results. */
export const META_TITLE = 70;
export const META_DESCRIPTION = 160;
/**
 * Smallest image, in pixels, that is shown well at any width and resolution: “at least 1200 x 630 pixels” (Meta for
 * Developers, Sharing › Webmasters › Images in Link Shares).
 */
const SHARED_IMAGE = { width: 1200, height: 630 } as const;

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

interface Shown {
  /** As search engines get them: with what an empty field falls back to. */
  readonly title: string;
  readonly description: string;
  /** What a shared link shows; null for none. */
  readonly image: string | null;
  /** Of the image in pixels; null until it is known. */
  readonly size: ImageSize | null;
  readonly canonical: string | null;
  readonly noindex: boolean;
  /** The post's own URL; a path where the project has no site. */
  readonly address: string;
}

export type SharingCheck =
  | { readonly name: 'hidden' | 'noDescription' | 'noImage' | 'insecureImage' }
  | { readonly name: 'longTitle' | 'longDescription'; readonly length: number }
  | ({ readonly name: 'smallImage' } & ImageSize)
  | { readonly name: 'elsewhere'; readonly host: string };

/** What an author may not expect of search results and shared links, the most serious first. */
export function checkSharing({ title, description, image, size, canonical, noindex, address }: Shown): SharingCheck[] {
  return [
    noindex && ({ name: 'hidden' } as const),
    canonical !== null &&
      URL.canParse(canonical) &&
      !isSamePage(canonical, address) &&
      ({ name: 'elsewhere', host: new URL(canonical).host } as const),
    title.length > META_TITLE && ({ name: 'longTitle', length: title.length } as const),
    description === '' && ({ name: 'noDescription' } as const),
    description.length > META_DESCRIPTION && ({ name: 'longDescription', length: description.length } as const),
    image === null && ({ name: 'noImage' } as const),
    size !== null && isSmall(size) && ({ name: 'smallImage', ...size } as const),
    image?.startsWith('http:') === true && address.startsWith('https:') && ({ name: 'insecureImage' } as const),
  ].filter((check) => check !== false);
}

const isSmall = ({ width, height }: ImageSize) => width < SHARED_IMAGE.width || height < SHARED_IMAGE.height;

/** Whether both are one page, with or without a slash at the end. */
function isSamePage(one: string, other: string): boolean {
  if (!URL.canParse(other)) return false;
  const pageOf = (url: string) => {
    const { origin, pathname, search } = new URL(url);
    return origin + pathname.replace(/\/$/, '') + search;
  };
  return pageOf(one) === pageOf(other);
}
