import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog, PartitionPosition } from '@blog-content/event-log';
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

/** The end of each partition at one moment. */
type Ends = ReadonlyMap<string, number>;

const keyOf = ({ topic, partition }: PartitionPosition): string => `${topic} ${partition}`;

export function createSettle(options: {
  readonly eventLog: Pick<EventLog, 'positions'>;
  readonly content: Pick<ContentSide, 'lastEvent' | 'unpublished'>;
  readonly log: Pick<LogSide, 'catchUp'>;
  readonly monotonicMs: () => number;
}): Settle {
  const { eventLog, content, log, monotonicMs } = options;
  let waitMs = WAIT_MS;

  /** How many messages before `ends` the consumer has not committed. Those after them came later. */
  const uncommitted = async (consumer: string, ends: Ends): Promise<number> => {
    const positions = await eventLog.positions(consumer, TOPICS);
    return positions.reduce((sum, at) => sum + Math.max(0, (ends.get(keyOf(at)) ?? 0) - at.committed), 0);
  };

  return async () => {
    const untilMs = monotonicMs() + waitMs;
    const last = await content.lastEvent();
    let ends: Ends | null = null;
    /** What is still on its way; null when nothing is. Others may go on publishing all the while. */
    const pending = async (): Promise<string | null> => {
      if (ends === null) {
        const unpublished = await content.unpublished(last);
        if (unpublished > 0) return `content-service has ${unpublished} events that are not in the log yet`;
        ends = new Map((await eventLog.positions(CONSUMERS[0], TOPICS)).map((at) => [keyOf(at), at.end]));
      }
      for (const consumer of CONSUMERS) {
        const messages = await uncommitted(consumer, ends);
        if (messages > 0) return `${consumer} has ${messages} events to process`;
      }
      return null;
    };
    for (;;) {
      const because = await pending();
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
