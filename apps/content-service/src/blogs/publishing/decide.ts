import type { BlogState } from '@blog-content/payload-schemas';

/**
 * The life of a blog (contract §3, "Lifecycle"):
 *
 *     draft ──publish──► published ──unpublish──► unpublished ──publish──► published …
 *     any state ──delete──► deleted
 *
 * `publish` and `sync` of a published blog publish its working copy again. A sync never makes a first publication.
 */
export interface BlogStatus {
  readonly state: BlogState;
  /** Number of the last lifecycle event; 0 before the first. */
  readonly eventNumber: number;
  /** Number of the last published revision; 0 before the first publish. */
  readonly revision: number;
  /** When the current publication began; null unless published. */
  readonly publicationBeganAt: Date | null;
}

export type Command = 'publish' | 'sync' | 'unpublish' | 'delete';

export type Decision =
  | {
      readonly kind: 'published';
      readonly eventNumber: number;
      readonly revision: number;
      /** Kept when published again, new after an unpublish. */
      readonly publicationBeganAt: Date;
    }
  | { readonly kind: 'unpublished'; readonly eventNumber: number }
  /** `announced`: receivers and readers hear of it, because the blog was published (contract §6). */
  | { readonly kind: 'deleted'; readonly eventNumber: number; readonly announced: boolean }
  | { readonly kind: 'refused'; readonly because: 'not_published' | 'deleted' };

/**
 * What a command makes of a blog.
 *
 * @param beganAt when the publication is to have begun; counts for a past time, and when none is under way.
 */
export function decide(command: Command, blog: BlogStatus, now: Date, beganAt: Date = now): Decision {
  if (blog.state === 'deleted') return { kind: 'refused', because: 'deleted' };
  const isPublished = blog.state === 'published';
  const eventNumber = blog.eventNumber + 1;
  switch (command) {
    case 'publish':
    case 'sync':
      if (command === 'sync' && !isPublished) return { kind: 'refused', because: 'not_published' };
      return {
        kind: 'published',
        eventNumber,
        revision: blog.revision + 1,
        publicationBeganAt: blog.publicationBeganAt ?? (beganAt < now ? beganAt : now),
      };
    case 'unpublish':
      return isPublished ? { kind: 'unpublished', eventNumber } : { kind: 'refused', because: 'not_published' };
    case 'delete':
      return { kind: 'deleted', announced: isPublished, eventNumber: isPublished ? eventNumber : blog.eventNumber };
  }
}
