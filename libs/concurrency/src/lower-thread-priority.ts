import { constants, getPriority, setPriority } from 'node:os';

/** How far such a thread ranks below the one that answers requests: beside it, it gets a third of a processor. */
const NICENESS = 5;

/**
 * Has the thread that calls this work behind the others of its process. On Linux only: elsewhere a thread has no
 * priority of its own.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS));
}
