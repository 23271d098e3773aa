import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Blog } from '../../../generated/types.gen.ts';
import { LeaveDialog } from '../../../parts/forms/leaving.tsx';
import type { SaveQueue, SaveState } from './save-queue.ts';

/**
 * Saves before another page is opened, and asks only when that does not succeed. The browser’s own question, which
 * cannot wait for a save, comes only while something is not saved.
 */
export function useLeaving(queue: SaveQueue<Blog>, state: SaveState): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: async () => {
      await queue.flush();
      return queue.state.kind !== 'saved';
    },
    enableBeforeUnload: () => queue.state.kind !== 'saved',
    withResolver: true,
  });
  if (blocker.status !== 'blocked' || state.kind === 'saved') return null;
  return <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />;
}
