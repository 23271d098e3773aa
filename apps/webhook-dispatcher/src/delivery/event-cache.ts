import type { LifecycleEvent } from '@blog-content/payload-schemas';

/** Most events that are kept, and most characters of their contents: all receivers of a publish get the same one. */
const MAX_EVENTS = 512;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** What a link target comes to, about. */
const CHARACTERS_OF_A_TARGET = 100;

/** The newest lifecycle events that went through this process. They are never changed, so what is known of one stays right. */
export interface EventCache {
  /** Keeps an event, and forgets the oldest beyond what may be kept. */
  add(id: string, event: LifecycleEvent): void;
  /** What is kept at this moment, by id. */
  now(): ReadonlyMap<string, LifecycleEvent>;
}

export function createEventCache(): EventCache {
  const events = new Map<string, LifecycleEvent>();
  let characters = 0;
  const sizeOf = (event: LifecycleEvent) =>
    event.event === 'blog.published'
      ? event.revision.content.length + CHARACTERS_OF_A_TARGET * event.published_link_targets.length
      : 0;
  return {
    add(id, event) {
      if (events.has(id)) return;
      events.set(id, event);
      characters += sizeOf(event);
      for (const [oldestId, oldest] of events) {
        if (events.size <= MAX_EVENTS && characters <= MAX_CHARACTERS) return;
        events.delete(oldestId);
        characters -= sizeOf(oldest);
      }
    },
    now: () => new Map(events),
  };
}
