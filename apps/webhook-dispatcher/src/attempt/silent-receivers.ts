import type { Outcome } from '../http/outcome.ts';

/** A receiver that has said nothing gets so many places at once, until it answers. */
export const PLACES_OF_A_SILENT_RECEIVER = 1;

/** It is forgotten after so long without an exchange, in milliseconds. */
const REMEMBERED_MS = 10 * 60_000;

/** Which receivers let their last exchange time out, as far as this process knows. */
export interface SilentReceivers {
  /** Tells what came of an exchange. What ended before it reached the receiver says nothing of it. */
  note(integrationId: string, outcome: Outcome['kind']): void;
  ids(): Iterable<string>;
}

/** `now` is a monotonic clock, in milliseconds. */
export function createSilentReceivers(now: () => number = () => performance.now()): SilentReceivers {
  /** Since when, the longest first. */
  const silent = new Map<string, number>();
  return {
    note(integrationId, outcome) {
      if (outcome !== 'timeout' && outcome !== 'answered') return;
      silent.delete(integrationId);
      if (outcome === 'timeout') silent.set(integrationId, now());
    },
    ids() {
      for (const [integrationId, sinceMs] of silent) {
        if (now() - sinceMs < REMEMBERED_MS) break;
        silent.delete(integrationId);
      }
      return silent.keys();
    },
  };
}
