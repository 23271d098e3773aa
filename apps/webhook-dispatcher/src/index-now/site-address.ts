import { withoutTrailingSlashes } from '@blog-content/link-resolver';

/** Where the protocol has the site serve its key: addresses below the folder of that file may be pinged with it. */
export const keyFileUrl = (siteUrl: string, key: string): string => `${withoutTrailingSlashes(siteUrl)}/${key}.txt`;

/** The first of these addresses of a post that is on the site; a copy elsewhere is another site's. Null for none. */
function liveOnSite(siteUrl: string, liveUrls: readonly string[]): string | null {
  // Everything of the site is below its address.
  const root = new URL(`${withoutTrailingSlashes(siteUrl)}/`).href;
  return liveUrls.find((url) => URL.parse(url)?.href.startsWith(root) === true) ?? null;
}

/**
 * Where a post is on the site: where a receiver says that it lives there, and else where links lead (contract §2.4.3).
 */
export function addressOf(siteUrl: string, slug: string, liveUrls: readonly string[]): string {
  const ownAddress = `${withoutTrailingSlashes(siteUrl)}/blog/${encodeURIComponent(slug)}/`;
  return liveOnSite(siteUrl, liveUrls) ?? ownAddress;
}
