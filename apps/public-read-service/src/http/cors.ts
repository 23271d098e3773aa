/** How long a browser may remember the answer to a preflight request. */
const MAX_AGE_S = 600;

export type Cors = ReturnType<typeof createCors>;

/** @param origins `*` alone for all pages; empty: null, nothing is said */
export function createCors(origins: readonly string[]) {
  if (origins.length === 0) return null;
  const all = origins.includes('*');
  const headersFor = (origin: string | undefined): readonly string[] => {
    const exposed = ['access-control-expose-headers', 'ETag, Retry-After'];
    if (all) return ['access-control-allow-origin', '*', ...exposed];
    const vary = ['vary', 'Origin'];
    if (origin === undefined || !origins.includes(origin)) return vary;
    return [...vary, 'access-control-allow-origin', origin, ...exposed];
  };
  return {
    headersFor,
    /** Headers of the answer to a preflight request from this origin. */
    preflightHeaders: (origin: string | undefined): readonly string[] => [
      ...headersFor(origin),
      ...['access-control-allow-methods', 'GET, HEAD', 'access-control-max-age', String(MAX_AGE_S)],
      ...['access-control-allow-headers', 'Authorization, If-None-Match, If-Modified-Since'],
    ],
  };
}
