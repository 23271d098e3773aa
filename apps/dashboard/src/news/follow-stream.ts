import { reconnectAfterMs, type StreamEnd } from './reconnect.ts';
import type { News } from './what-to-read.ts';

/** Makes one connection and resolves when it has ended; `onNews` hears what comes. */
export type Connect = (
  lastId: string | undefined,
  onNews: (id: string | undefined, news: News | null) => void,
) => Promise<StreamEnd>;

/**
 * Keeps a stream of news open until `signal`, connecting again where it was cut. `lastId` is where another tab has got
 * to, if one has.
 */
export async function followStream(options: {
  readonly connect: Connect;
  readonly lastId: string | undefined;
  readonly hear: (news: News, lastId: string | undefined) => void;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { connect, hear, sleep, random, signal } = options;
  let lastId = options.lastId;
  let failures = 0;
  while (!signal.aborted) {
    const ended = await connect(lastId, (id, news) => {
      lastId = id ?? lastId;
      if (news !== null) hear(news, lastId);
    });
    const waitMs = reconnectAfterMs(ended, failures, random());
    if (waitMs === null) return;
    failures = ended.heard ? 0 : failures + 1;
    if (!signal.aborted) await sleep(waitMs);
  }
}
