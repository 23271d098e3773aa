import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { answerParent } from '../processes/child.ts';
import { getOnce, type PublicGet } from './http-request.ts';

/** Requests that begin evenly, whether those before were answered or not. */
export interface EvenJob {
  readonly port: number;
  /** Made one after the other, in turn. Each has to be answered with 200. */
  readonly gets: readonly PublicGet[];
  readonly perSecond: number;
  readonly durationMs: number;
}

// A process of its own, so that nothing else of the bench delays its reading of the clock.
answerParent(async ({ port, gets, perSecond, durationMs }: EvenJob): Promise<number[]> => {
  const agent = new Agent();
  const ask = async (get: PublicGet): Promise<number> => {
    const askedAt = performance.now();
    const { status } = await getOnce(port, get, agent);
    if (status !== 200) throw new Error(`A reader was answered ${status}.`);
    return performance.now() - askedAt;
  };
  try {
    const running: Promise<number>[] = [];
    const startedAt = performance.now();
    for (let count = 0; (count * 1_000) / perSecond < durationMs; count += 1) {
      const dueInMs = startedAt + (count * 1_000) / perSecond - performance.now();
      if (dueInMs > 0) await pause(dueInMs);
      const get = gets[count % gets.length];
      if (get) running.push(ask(get));
    }
    return await Promise.all(running);
  } finally {
    await agent.close();
  }
});
