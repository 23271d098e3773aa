import { type VisibilityEvent, showsBlog } from '@blog-content/payload-schemas';

/** A URL of a post that changes with an event. */
export interface AddressChange {
  readonly projectId: string;
  readonly slug: string;
  readonly blogId: string;
  /** The lifecycle event. */
  readonly eventId: string;
  /** The post is no longer there. */
  readonly isGone: boolean;
}

/** What is known of a blog before an event. */
export interface KnownBlog {
  readonly number: number;
  /** Null while it is not published. */
  readonly slug: string | null;
  /** Search engines are asked not to show it. */
  readonly noindex: boolean;
}

interface EventOfLog {
  readonly id: string;
  readonly data: VisibilityEvent;
}

/**
 * The URLs that these events change, each once, with its last change: where a post appears, changes or goes, and both
 * where its slug changes. A post with `noindex` is only announced where it was indexable before, so that search engines
 * drop it. Events that are not newer than what is known of their blogs change nothing. Pure.
 */
export function changedAddresses(
  events: readonly EventOfLog[],
  known: ReadonlyMap<string, KnownBlog>,
): AddressChange[] {
  const blogs = new Map(known);
  const changes = new Map<string, AddressChange>();
  for (const { id: eventId, data } of events) {
    const { blog_id: blogId, project_id: projectId, blog_event_number: number } = data;
    const before = blogs.get(blogId) ?? { number: 0, slug: null, noindex: false };
    if (number <= before.number) continue;
    const slug = showsBlog(data) ? data.revision.slug : null;
    const noindex = showsBlog(data) && data.revision.noindex === true;
    blogs.set(blogId, { number, slug, noindex });
    const indexable = before.noindex ? null : before.slug;
    const note = (changed: string, isGone: boolean) =>
      changes.set(`${projectId}/${changed}`, { projectId, blogId, eventId, slug: changed, isGone });
    if (indexable !== null && indexable !== slug) note(indexable, true);
    if (slug !== null && (!noindex || indexable === slug)) note(slug, false);
  }
  return [...changes.values()];
}
