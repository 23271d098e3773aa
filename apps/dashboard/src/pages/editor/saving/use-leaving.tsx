import { useBlocker } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { LeaveDialog } from '../../../parts/forms/leaving.tsx';
import type { SaveQueue, SaveState } from './save-queue.ts';

/** For so long nothing seems to happen after a press. */
const PATIENCE_MS = 3_000;

/**
 * Saves before another page is opened, and asks only when that does not succeed soon. The browser’s own question, which
 * cannot wait for a save, comes only while something is not saved, was refused, or can’t be saved
 * as it is.
 */
export function useLeaving(queue: SaveQueue<Blog>, state: SaveState, hasUnfinished: boolean): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: async () => !(await Promise.race([queue.flush(), impatience()])) || hasUnfinished,
    enableBeforeUnload: () => hasUnfinished || !isAllSaved(queue.state),
    withResolver: true,
  });
  const { status, proceed } = blocker;
  const goesOn = status === 'blocked' && !hasUnfinished && isAllSaved(state);
  useEffect(() => {
    if (goesOn) proceed?.();
  }, [goesOn, proceed]);
  if (blocker.status !== 'blocked' || goesOn) return null;
  return <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />;
}

const impatience = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));

const isAllSaved = ({ kind, refused }: SaveState) => kind === 'saved' && refused.size === 0;
