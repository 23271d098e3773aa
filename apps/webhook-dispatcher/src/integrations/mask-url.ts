import { MASK } from '@blog-content/credentials';

/** What may be shown of a URL: its origin, and whether there is more. */
export function maskUrl(text: string): string {
  const url = new URL(text);
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '';
  return isBare ? `${url.origin}/` : `${url.origin}/${MASK}`;
}
