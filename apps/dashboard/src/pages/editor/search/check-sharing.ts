/** Longer ones are cut in search results. */
export const META_TITLE = 70;
export const META_DESCRIPTION = 160;

interface Shown {
  /** As search engines get them: with what an empty field falls back to. */
  readonly title: string;
  readonly description: string;
  /** What a shared link shows; null for none. */
  readonly image: string | null;
  readonly canonical: string | null;
  readonly noindex: boolean;
  /** The post's own URL; a path where the project has no site. */
  readonly address: string;
}

export type SharingCheck =
  | { readonly name: 'hidden' | 'noDescription' | 'noImage' | 'insecureImage' }
  | { readonly name: 'longTitle' | 'longDescription'; readonly length: number }
  | { readonly name: 'elsewhere'; readonly host: string };

/** What an author may not expect of search results and shared links, the most serious first. */
export function checkSharing({ title, description, image, canonical, noindex, address }: Shown): SharingCheck[] {
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
    image?.startsWith('http:') === true && address.startsWith('https:') && ({ name: 'insecureImage' } as const),
  ].filter((check) => check !== false);
}

/** Whether both are one page, with or without a slash at the end. */
function isSamePage(one: string, other: string): boolean {
  if (!URL.canParse(other)) return false;
  const pageOf = (url: string) => {
    const { origin, pathname, search } = new URL(url);
    return origin + pathname.replace(/\/$/, '') + search;
  };
  return pageOf(one) === pageOf(other);
}
