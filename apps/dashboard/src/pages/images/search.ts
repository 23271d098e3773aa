const FILTERS = ['used', 'unused'] as const;
export type ImagesFilter = (typeof FILTERS)[number];

/** What the library shows, according to the URL. */
export interface ImagesSearch {
  readonly q?: string;
  readonly show?: ImagesFilter;
}

/** Reads the address; what it does not know it leaves out. */
export function readImagesSearch(given: Readonly<Record<string, unknown>>): ImagesSearch {
  const { q, show } = given;
  return {
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 200) }),
    ...(FILTERS.includes(show as ImagesFilter) && { show: show as ImagesFilter }),
  };
}

/** The query of the API for it. */
export function imagesQuery({ q, show }: ImagesSearch, limit: number) {
  return {
    limit,
    ...(q !== undefined && { q }),
    ...(show !== undefined && { unused: show === 'unused' ? ('true' as const) : ('false' as const) }),
  };
}
