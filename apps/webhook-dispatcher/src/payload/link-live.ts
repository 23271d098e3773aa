import { escapeHtml, linkBase } from '@blog-content/link-resolver';
import type { ShowingEvent } from '@blog-content/payload-schemas';
import { replaceAddresses } from './replace-addresses.ts';

/** A post of the project that another one links to. */
export interface LinkedPost {
  readonly slug: string;
  /** The address that stands in the content, as it is written in HTML. */
  readonly url: string;
}

/** The posts that a published one links to, with where its links lead (contract §2.4.3). */
export function linkedPosts({ published_link_targets: targets, site_url: siteUrl }: ShowingEvent): LinkedPost[] {
  const base = linkBase(siteUrl);
  return targets.map(({ slug }) => ({ slug, url: `${base}${slug}/` }));
}

/** Most links of a post that are led to where their posts live: its first ones. */
export const MAX_LIVE_LINKS = 1_000;

/** Content with its links to other posts leading to where these live, as far as that is known, by slug. */
export function linkLive(content: string, posts: readonly LinkedPost[], live: ReadonlyMap<string, string>): string {
  const [first] = posts;
  if (first === undefined) return content;
  const addresses = new Map<string, string>();
  for (const { slug } of posts) {
    const at = live.get(slug);
    if (at !== undefined) addresses.set(slug, escapeHtml(at));
  }
  const base = first.url.slice(0, -`${first.slug}/`.length);
  return replaceAddresses(content, 'href="', (rest) => {
    if (!rest.startsWith(base)) return undefined;
    const end = rest.indexOf('/', base.length);
    const address = addresses.get(rest.slice(base.length, end));
    return address === undefined ? undefined : { address, length: end + 1 };
  });
}
