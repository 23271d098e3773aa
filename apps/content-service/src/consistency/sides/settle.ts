import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic } from '@blog-content/payload-schemas';
import type { ContentSide } from './content-side-store.ts';
import type { LogSide } from './log-side.ts';

const TOPICS = [lifecycleTopic, projectsTopic];
const CONSUMERS = ['public-read-service', 'webhook-dispatcher'] as const;
const POLL_MS = 200;
/** How long services have to process what is on its way. */
const WAIT_MS = 30_000;
/** Once they had that time and didn't. */
const SHORT_WAIT_MS = 1_000;

/** Waits until everything that content-service has committed by now was processed. */
export type Settle = () => Promise<
  { readonly isSettled: true } | { readonly isSettled: false; readonly because: string }
>;

export function createSettle(options: {
  readonly eventLog: Pick<EventLog, 'lag'>;
  readonly content: Pick<ContentSide, 'lastEvent' | 'unpublished'>;
  readonly log: Pick<LogSide, 'catchUp'>;
  readonly monotonicMs: () => number;
}): Settle {
  const { eventLog, content, log, monotonicMs } = options;
  let waitMs = WAIT_MS;

  /** What is still on its way; null when nothing is. Both consumers once at the end of the log have read everything. */
  const pending = async (last: string, behind: Set<(typeof CONSUMERS)[number]>): Promise<string | null> => {
    const unpublished = await content.unpublished(last);
    if (unpublished > 0) return `content-service has ${unpublished} events that are not in the log yet`;
    for (const consumer of [...behind]) {
      const lag = await eventLog.lag(consumer, TOPICS);
      const messages = lag.reduce((sum, topic) => sum + topic.messages, 0);
      if (messages > 0) return `${consumer} has ${messages} events to process`;
      behind.delete(consumer);
    }
    return null;
  };

  return async () => {
    const untilMs = monotonicMs() + waitMs;
    const last = await content.lastEvent();
    const behind = new Set(CONSUMERS);
    for (;;) {
      const because = await pending(last, behind);
      if (because === null) {
        await log.catchUp();
        waitMs = WAIT_MS;
        return { isSettled: true };
      }
      if (monotonicMs() > untilMs) {
        waitMs = SHORT_WAIT_MS;
        return { isSettled: false, because };
      }
      await sleep(POLL_MS);
    }
  };
}
