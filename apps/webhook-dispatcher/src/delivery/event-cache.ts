import type { LifecycleEvent } from '@blog-content/payload-schemas';

/** Most events that are kept, and most characters of their contents: all receivers of a publish get the same one. */
const MAX_EVENTS = 512;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Most of them that another replica planned. How many of their deliveries are left to claim is not known here. */
const MAX_OF_OTHERS = 32;
/** What a link target comes to, about. */
const CHARACTERS_OF_A_TARGET = 100;

/**
 * Lifecycle events at hand, so that a claim need not bring the event of each delivery. They are never changed, so what is known of
 * one stays right. Each claim names them all to the database: those that it will hardly ask for again are forgotten.
 */
export interface EventCache {
  /** Keeps an event that was planned here, until so many of its deliveries were claimed. */
  planned(id: string, event: LifecycleEvent, deliveries: number): void;
  /** A delivery of this event was claimed. What was not at hand yet is kept for those that follow. */
  claimed(id: string, event: LifecycleEvent): void;
  /** What is kept at this moment, by id. */
  now(): ReadonlyMap<string, LifecycleEvent>;
}

interface Kept {
  readonly event: LifecycleEvent;
  /** Deliveries left to claim; undefined where that is not known. */
  left: number | undefined;
}

export function createEventCache(): EventCache {
  // Both oldest first.
  const kept = new Map<string, Kept>();
  const ofOthers = new Set<string>();
  let characters = 0;

  const forget = (id: string) => {
    const found = kept.get(id);
    if (found === undefined) return;
    kept.delete(id);
    ofOthers.delete(id);
    characters -= sizeOf(found.event);
  };
  const keep = (id: string, event: LifecycleEvent, left: number | undefined) => {
    kept.set(id, { event, left });
    characters += sizeOf(event);
    if (left === undefined) ofOthers.add(id);
    for (const oldest of ofOthers) {
      if (ofOthers.size <= MAX_OF_OTHERS) break;
      forget(oldest);
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_EVENTS && characters <= MAX_CHARACTERS) break;
      forget(oldest);
    }
  };

  return {
    planned(id, event, deliveries) {
      if (deliveries > 0 && !kept.has(id)) keep(id, event, deliveries);
    },
    claimed(id, event) {
      const found = kept.get(id);
      if (found === undefined) keep(id, event, undefined);
      else if (found.left !== undefined && (found.left -= 1) <= 0) forget(id);
    },
    now: () => new Map([...kept].map(([id, { event }]) => [id, event])),
  };
}

function sizeOf(event: LifecycleEvent): number {
  return event.event === 'blog.published'
    ? event.revision.content.length + CHARACTERS_OF_A_TARGET * event.published_link_targets.length
    : 0;
}
