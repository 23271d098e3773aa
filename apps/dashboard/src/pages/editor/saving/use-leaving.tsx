import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { LeaveDialog } from '../../../parts/forms/leaving.tsx';
import type { SaveQueue, SaveState } from './save-queue.ts';

/**
 * Saves before another page is opened, and asks only when that does not succeed. The browser’s own question, which
 * cannot wait for a save, comes only while something is not saved, or was refused.
 */
export function useLeaving(queue: SaveQueue<Blog>, state: SaveState): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: async () => !(await queue.flush()),
    enableBeforeUnload: () => !isAllSaved(queue.state),
    withResolver: true,
  });
  if (blocker.status !== 'blocked' || isAllSaved(state)) return null;
  return <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />;
}

const isAllSaved = ({ kind, refused }: SaveState) => kind === 'saved' && refused.size === 0;
