import { escapeHtml, linkBase, MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';
import type { ShowingEvent } from '@blog-content/payload-schemas';

/** A post of the project that another one links to. */
export interface LinkedPost {
  /** The one in its address. */
  readonly slug: string;
  /** The blog that the link is bound to, or leads to instead; null for a link that goes by its slug. */
  readonly blogId: string | null;
  /** The address in the content, as it is written in HTML. */
  readonly url: string;
}

/** The posts that a published one links to, with where its links lead (contract §2.4.3). */
export function linkedPosts(event: ShowingEvent): LinkedPost[] {
  const base = linkBase(event.site_url);
  const bound = new Map(event.link_bindings?.map((binding) => [binding.slug, binding.blog_id]));
  return event.published_link_targets.map(({ slug: named, current_slug: current = named, translation }) => {
    const slug = translation?.slug ?? current;
    return { slug, blogId: translation?.blog_id ?? bound.get(named) ?? null, url: `${base}${slug}/` };
  });
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

/** What takes the place of so many characters, as it is written in HTML. */
interface Replacement {
  readonly length: number;
  readonly address: string;
}

/**
 * Content with other addresses behind each `attribute`, such as `href="`, where `replacementFor` has one for what
 * begins there. They are chosen by the server that answers a request, and one may take the place of a few characters
 * ten thousand times: those that would add more than {@link MAX_LINK_CHARACTERS} in all are left out. One pass.
 */
export function replaceAddresses(
  content: string,
  attribute: string,
  replacementFor: (rest: string) => Replacement | undefined,
): string {
  let room = MAX_LINK_CHARACTERS;
  const [head = '', ...others] = content.split(attribute);
  const replaced = others.map((rest) => {
    const replacement = replacementFor(rest);
    if (replacement === undefined) return rest;
    const { address, length } = replacement;
    const added = Math.max(0, address.length - length);
    if (added > room) return rest;
    room -= added;
    return address + rest.slice(length);
  });
  return [head, ...replaced].join(attribute);
}
