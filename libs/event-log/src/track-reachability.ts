import type { EventLogLogger } from './logger.ts';

/** Whether the log can be reached, for metrics and for people. */
export interface Reachability {
  reached(): void;
  failed(error: unknown): void;
  /** What the last look at the log said; false before the first. */
  isUp(): boolean;
  /** When the log was last reached (or first looked for), once that is too long ago; undefined else. */
  unreachableSince(): Date | undefined;
  /** Says nothing any more. */
  stop(): void;
}

/** Says so, once, as an error when the log has not been reached for `afterMs`, and as information when it is back. */
export function trackReachability({
  group,
  logger,
  afterMs,
}: {
  readonly group: string;
  readonly logger: EventLogLogger;
  readonly afterMs: number;
}): Reachability {
  let reachedAt = new Date();
  let isUp = false;
  let isOverdue = false;
  let lastError: unknown;
  const timer = setTimeout(() => {
    isOverdue = true;
    logger.error('event_log.unreachable', { group, since: reachedAt.toISOString(), error: lastError });
  }, afterMs);
  timer.unref();
  return {
    reached() {
      if (isOverdue) logger.info('event_log.reached_again', { group, unreachable_since: reachedAt.toISOString() });
      isOverdue = false;
      isUp = true;
      reachedAt = new Date();
      timer.refresh();
    },
    failed(error) {
      isUp = false;
      lastError = error;
    },
    isUp: () => isUp,
    unreachableSince: () => (isOverdue ? reachedAt : undefined),
    stop: () => clearTimeout(timer),
  };
}
