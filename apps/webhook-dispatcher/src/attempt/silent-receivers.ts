import type { Outcome } from '../http/outcome.ts';

/** A receiver whose last exchange timed out gets so many slots, until it answers. */
export const MAX_SLOTS_OF_SILENT_RECEIVER = 1;

/** It is forgotten after so long without an exchange, in milliseconds. */
const REMEMBERED_MS = 10 * 60_000;

/** Which receivers let their last exchange time out, as far as this process knows. */
export interface SilentReceivers {
  /** Notes the outcome of an exchange. One that ended before it reached the receiver does not count. */
  note(integrationId: string, outcome: Outcome['kind']): void;
  ids(): Iterable<string>;
}

/** `now` is a monotonic clock, in milliseconds. */
export function createSilentReceivers(now: () => number = () => performance.now()): SilentReceivers {
  /** Since when, the longest first. */
  const silent = new Map<string, number>();
  return {
    note(integrationId, outcome) {
      if (outcome !== 'timeout' && outcome !== 'answered' && outcome !== 'declined') return;
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
