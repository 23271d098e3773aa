/** An answer that is asked for again only if it has changed. */
export interface CachedResponse {
  readonly etag: string;
  readonly body: string;
}

/**
 * Keeps answers by URL. Both methods may also be synchronous. What it forgets is fetched again; one cache serves one
 * public key.
 */
export interface ResponseCache {
  get(url: string): CachedResponse | undefined | Promise<CachedResponse | undefined>;
  set(url: string, response: CachedResponse): unknown;
}

/** Keeps the `maxEntries` answers that were used last, in memory. */
export function memoryCache({ maxEntries = 1000 }: { maxEntries?: number } = {}): ResponseCache {
  const entries = new Map<string, CachedResponse>();
  const use = (url: string, response: CachedResponse) => {
    entries.delete(url);
    entries.set(url, response);
  };
  return {
    get(url) {
      const response = entries.get(url);
      if (response !== undefined) use(url, response);
      return response;
    },
    set(url, response) {
      use(url, response);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break;
        entries.delete(oldest);
      }
    },
  };
}
