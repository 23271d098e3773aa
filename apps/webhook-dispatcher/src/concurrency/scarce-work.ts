import { createFairQueue } from '@blog-content/concurrency';

/** Images to be copied that are held in memory, twice while they are sent. */
export const MAX_IMAGES_HELD = 6;
/** Posts that become Markdown: each takes a thread for up to ten seconds. */
const MAX_CONVERTED = 1;
/** Attempts that look links up: one connection, so that no claim waits for it. */
const MAX_LOOK_UPS = 1;

/** See {@link createScarceWork}. */
export type ScarceWork = ReturnType<typeof createScarceWork>;

/**
 * Work of attempts that a process runs little of concurrently. Owners take turns, one of each at a time: else the 160
 * attempts that a project may make would come before another's. What waits is no more than the attempts that run.
 */
export function createScarceWork() {
  const atOnce = (slots: number) => createFairQueue({ slots, slotsEach: 1 });
  return { images: atOnce(MAX_IMAGES_HELD), markdown: atOnce(MAX_CONVERTED), liveLinks: atOnce(MAX_LOOK_UPS) };
}
