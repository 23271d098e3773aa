/** Stands for what is there and not shown. No header can carry it, so it cannot be written back by mistake. */
export const MASK = '••••';

/** What may be shown of a URL: its origin, and whether there is more. */
export function maskUrl(text: string): string {
  const url = new URL(text);
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare ? `${url.origin}/` : `${url.origin}/${MASK}`;
}
