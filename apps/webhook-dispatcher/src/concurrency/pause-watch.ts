import { performance } from 'node:perf_hooks';

/** Notices that this process stood still, whether it was stopped, swapped out or busy. */
export interface PauseWatch {
  /**
   * Looks now. After a pause, what was read from sockets meanwhile is handled before any timer: whoever depends on it
   * looks first.
   */
  look(): void;
  stop(): void;
}

/** Calls `onPause` when more than `longestMs` have passed between two looks; it looks by itself four times as often. */
export function watchPauses(
  longestMs: number,
  onPause: (pausedMs: number) => void,
  now: () => number = () => performance.now(),
): PauseWatch {
  let lastLookMs = now();
  const look = () => {
    const pausedMs = now() - lastLookMs;
    lastLookMs += pausedMs;
    if (pausedMs > longestMs) onPause(pausedMs);
  };
  const timer = setInterval(look, longestMs / 4);
  timer.unref();
  return {
    look,
    stop() {
      clearInterval(timer);
    },
  };
}
