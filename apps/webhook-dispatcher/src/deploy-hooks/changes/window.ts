import type { VisibilityEvent } from '@blog-content/payload-schemas';

/** How changes of one project become one request (contract §6.8). Milliseconds. */
export interface WindowRules {
  /** No change for this long ends a window. */
  readonly quietMs: number;
  /** No window lasts longer, however many changes come. */
  readonly maxWaitMs: number;
}

/** A change that the public API serves, or that has waited for that long enough. */
export interface ReadyChange {
  readonly blogId: string;
  readonly event: VisibilityEvent['event'];
  readonly isServed: boolean;
}

/** The changes that one request will be made for. */
export interface Window {
  readonly firstChangeAt: Date;
  /** When the request is to be made, unless another change joins. */
  readonly dueAt: Date;
  readonly published: number;
  readonly unpublished: number;
  readonly deleted: number;
  /** Changes that the public API was not known to serve when they joined. */
  readonly notServed: number;
  /** The first {@link MAX_BLOG_IDS} blogs that changed. */
  readonly blogIds: readonly string[];
}

/** What each event counts as. */
const COUNTED_AS = {
  'blog.published': 'published',
  'blog.unpublished': 'unpublished',
  'blog.deleted': 'deleted',
} as const satisfies Record<VisibilityEvent['event'], 'published' | 'unpublished' | 'deleted'>;

/** Most blogs that the history names for one request. */
export const MAX_BLOG_IDS = 20;

/**
 * Adds changes to the window that is open, or opens one (`window` null). Pure: `at` is when the changes became ready.
 * Each change restarts the quiet time, and the first one of the window bounds it.
 */
export function joinWindow(
  window: Omit<Window, 'dueAt'> | null,
  changes: readonly ReadyChange[],
  at: Date,
  { quietMs, maxWaitMs }: WindowRules,
): Window {
  const firstChangeAt = window?.firstChangeAt ?? at;
  const count = (before: number | undefined, counts: (change: ReadyChange) => boolean) =>
    (before ?? 0) + changes.filter(counts).length;
  return {
    firstChangeAt,
    dueAt: new Date(Math.min(at.getTime() + quietMs, firstChangeAt.getTime() + maxWaitMs)),
    published: count(window?.published, ({ event }) => COUNTED_AS[event] === 'published'),
    unpublished: count(window?.unpublished, ({ event }) => COUNTED_AS[event] === 'unpublished'),
    deleted: count(window?.deleted, ({ event }) => COUNTED_AS[event] === 'deleted'),
    notServed: count(window?.notServed, ({ isServed }) => !isServed),
    blogIds: [...new Set([...(window?.blogIds ?? []), ...changes.map(({ blogId }) => blogId)])].slice(0, MAX_BLOG_IDS),
  };
}
