import { findPlaceholders, withoutPlaceholders } from '@blog-content/link-resolver';
import { type VisibilityEvent, showsBlog } from '@blog-content/payload-schemas';
import { storableText } from '@blog-content/service-runtime';

/** Most links of one post that are watched: its first ones. What others lead to is as it was when it was published. */
export const MAX_WATCHED_LINKS = 1_000;

/** What an event says of a blog as a target of links, and of the blogs that it links to. */
export interface LinksOfEvent {
  /** Null when it is not published any more. */
  readonly target: { readonly slug: string; readonly title: string; readonly publishedAt: Date } | null;
  /** The slugs that its placeholders name, but for its own: a post never links to itself (contract §2.4.3). */
  readonly links: readonly string[];
}

/**
 * Reads an event for what links depend on. All placeholders of the text count, wherever they stand: one that turns out
 * to be no link costs a look, no more.
 */
export function linksOfEvent(event: VisibilityEvent): LinksOfEvent {
  if (!showsBlog(event)) return { target: null, links: [] };
  const { slug, content, title } = event.revision;
  const links = new Set<string>();
  for (const placeholder of findPlaceholders(content)) {
    if (placeholder.slug !== null && placeholder.slug !== slug) links.add(placeholder.slug);
    if (links.size === MAX_WATCHED_LINKS) break;
  }
  return {
    target: {
      slug,
      title: storableText(withoutPlaceholders(title)),
      publishedAt: new Date(event.published_at),
    },
    links: [...links],
  };
}
