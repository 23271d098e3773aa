import { effectOf, type VisibilityEvent } from '@blog-content/payload-schemas';

/** What decides whether a blog whose links have changed is sent to a receiver again. */
export interface HealingRequest {
  /** Whether the receiver has the post, as far as is known: a delivery may be under way. */
  readonly isThere: boolean;
  /** Whether a delivery of the blog to the receiver has not ended: planned, in flight, or waiting for a retry. */
  readonly isUnderWay: boolean;
  /** The newest lifecycle event of the blog; null when none is known. */
  readonly newest: VisibilityEvent['event'] | null;
}

/**
 * Decides: `send` it now, `wait` for what is under way, whose links may be as old, or `drop` it, because there is
 * nothing to heal: no receiver gets a post that it does not have, or one back that was unpublished.
 */
export function judgeHealing({ isThere, isUnderWay, newest }: HealingRequest): 'send' | 'wait' | 'drop' {
  if (newest === null || effectOf(newest) !== 'shows') return 'drop';
  if (isUnderWay) return 'wait';
  return isThere ? 'send' : 'drop';
}
