import type { ReceivedEvent } from '@blog-content/event-log';
import type { BlogServedEvent, BlogSlugsChangedEvent, VisibilityEvent } from '@blog-content/payload-schemas';

/** A kind of job, at work: events become its jobs, and a lease runner runs them. Every method may be repeated. */
export interface Kind {
  /** Names it in readiness checks. */
  readonly name: string;
  /** Stores the jobs of these events. */
  plan(changes: readonly ReceivedEvent<VisibilityEvent>[], renames: readonly BlogSlugsChangedEvent[]): Promise<void>;
  /** The public API serves these events, and everything before them. */
  markServed?(events: readonly BlogServedEvent[]): Promise<void>;
  /** Removes what those of these projects have that are deleted. */
  forget?(projectIds: readonly string[]): Promise<void>;
  /** Rejects while no claim succeeds. */
  readonly checkProgress: () => Promise<void>;
  /** Begins no job from now on; running ones continue. */
  readonly stopClaiming: () => void;
  /** Lets jobs end for `graceMs`, then interrupts them. Resolves when all are recorded. */
  stop(graceMs: number): Promise<void>;
}
