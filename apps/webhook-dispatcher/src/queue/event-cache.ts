import { type VisibilityEvent, showsBlog } from '@blog-content/payload-schemas';

/** A lifecycle event as its deliveries need it. */
export interface KnownEvent {
  /** When it happened. */
  readonly time: Date;
  readonly traceparent: string | null;
  readonly data: VisibilityEvent;
}

/** Most events that are kept, and most characters of their contents: all receivers of a publish get the same one. */
const MAX_EVENTS = 512;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** What a link target comes to, about. */
const CHARACTERS_OF_A_TARGET = 100;

/**
 * A cache of lifecycle events, so that a claim need not load the event of each delivery. Events never change, so
 * nothing in it becomes stale.
 */
export interface EventCache {
  /** Keeps an event; the oldest make room for it. */
  keep(id: string, event: KnownEvent): void;
  get(id: string): KnownEvent | undefined;
}

export function createEventCache(): EventCache {
  // Oldest first.
  const kept = new Map<string, KnownEvent>();
  let characters = 0;
  return {
    keep(id, event) {
      if (kept.has(id)) return;
      kept.set(id, event);
      characters += sizeOf(event.data);
      for (const [oldest, { data }] of kept) {
        if (kept.size <= MAX_EVENTS && characters <= MAX_CHARACTERS) break;
        kept.delete(oldest);
        characters -= sizeOf(data);
      }
    },
    get: (id) => kept.get(id),
  };
}

function sizeOf(event: VisibilityEvent): number {
  return showsBlog(event)
    ? event.revision.content.length + CHARACTERS_OF_A_TARGET * event.published_link_targets.length
    : 0;
}
