import { type VisibilityEvent, showsBlog } from '@blog-content/payload-schemas';

/** An address of a post that changes with an event. */
export interface AddressChange {
  readonly projectId: string;
  readonly slug: string;
  readonly blogId: string;
  /** The lifecycle event. */
  readonly eventId: string;
  /** No post is at this address any more. */
  readonly isGone: boolean;
  /** None was there before. */
  readonly isNew: boolean;
}

/** What is known of a blog before an event. */
export interface KnownBlog {
  readonly number: number;
  /** Null while it is not published. */
  readonly slug: string | null;
}

interface EventOfLog {
  readonly id: string;
  readonly data: VisibilityEvent;
}

/**
 * The addresses that these events change, each once, the last change of it: where a post appears, is changed, or goes,
 * and both where its slug changes. Pure. Events that are not newer than what is known of their blogs change nothing.
 */
export function changedAddresses(
  events: readonly EventOfLog[],
  known: ReadonlyMap<string, KnownBlog>,
): AddressChange[] {
  const blogs = new Map(known);
  const changes = new Map<string, AddressChange>();
  for (const { id: eventId, data } of events) {
    const { blog_id: blogId, project_id: projectId, blog_event_number: number } = data;
    const before = blogs.get(blogId) ?? { number: 0, slug: null };
    if (number <= before.number) continue;
    const slug = showsBlog(data) ? data.revision.slug : null;
    blogs.set(blogId, { number, slug });
    const ids = { projectId, blogId, eventId };
    const note = (change: AddressChange) => {
      const key = `${projectId}/${change.slug}`;
      const earlier = changes.get(key);
      // Of a post that went just now, here or from this address, the site may still have the page.
      const isNew = earlier === undefined ? change.isNew : !earlier.isGone && earlier.isNew;
      changes.set(key, { ...change, isNew: isNew && !change.isGone });
    };
    if (before.slug !== null && before.slug !== slug) note({ ...ids, slug: before.slug, isGone: true, isNew: false });
    if (slug !== null) note({ ...ids, slug, isGone: false, isNew: before.slug !== slug });
  }
  return [...changes.values()];
}
