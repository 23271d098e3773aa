import { escapeHtml, linkBase } from '@blog-content/link-resolver';
import type { ShowingEvent } from '@blog-content/payload-schemas';

/** A post of the project that another one links to. */
export interface LinkedPost {
  readonly slug: string;
  /** The address that stands in the content, as it is written in HTML. */
  readonly url: string;
}

/** The posts that a published one links to, with where its links lead (spec §2.4.3). */
export function linkedPosts({ published_link_targets: targets, site_url: siteUrl }: ShowingEvent): LinkedPost[] {
  const base = linkBase(siteUrl);
  return targets.map(({ slug }) => ({ slug, url: `${base}${slug}/` }));
}

/** Content with its links to other posts leading to where these live, as far as that is known, by slug. */
export function linkLive(content: string, posts: readonly LinkedPost[], live: ReadonlyMap<string, string>): string {
  let linked = content;
  for (const { slug, url } of posts) {
    const at = live.get(slug);
    if (at !== undefined) linked = linked.replaceAll(`href="${url}`, () => `href="${escapeHtml(at)}`);
  }
  return linked;
}
