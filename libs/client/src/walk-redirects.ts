import type { Redirect, RedirectPage } from './posts.ts';

/** A rename between two pages moves them; so it restarts, a few times at most. */
const MAX_ROUNDS = 10;

/** Reads at most `limit` redirects from `offset` on. */
export type ReadRedirects = (offset: number, limit: number) => Promise<RedirectPage>;

/** Reads all redirects, page by page. Pages of different moments could lead in circles: then it reads them again. */
export async function walkRedirects(readPage: ReadRedirects, pageSize: number): Promise<Redirect[]> {
  let read: Redirect[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const totals = new Set<number>();
    read = [];
    for (;;) {
      const { redirects, total } = await readPage(read.length, pageSize);
      read.push(...redirects);
      totals.add(total);
      if (redirects.length < pageSize) break;
    }
    if (totals.size === 1 && isOneHop(read)) return read;
  }
  const sources = new Set(read.map(({ from }) => from));
  return read.filter(({ to }) => !sources.has(to));
}

/** Whether each slug comes once, and none of those that are led to is redirected itself. */
function isOneHop(redirects: readonly Redirect[]): boolean {
  const sources = new Set(redirects.map(({ from }) => from));
  return sources.size === redirects.length && redirects.every(({ to }) => !sources.has(to));
}
