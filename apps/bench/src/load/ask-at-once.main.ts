import { constants, setPriority } from 'node:os';
import { answerParent } from '../processes/child.ts';
import { getOnce, type PublicGet } from './http-request.ts';

/** Requests that are made so many at once, and the next ones when all of these are answered. */
export interface WaveJob {
  readonly port: number;
  /** Begun anew when all have been made. */
  readonly gets: readonly PublicGet[];
  readonly atOnce: number;
  readonly durationMs: number;
}

/** What came of it. */
export interface WaveResult {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Of the largest answer. */
  readonly bodyBytes: number;
}

// A process of its own that yields to whoever measures: reading such bodies takes a good part of a core.
setPriority(constants.priority.PRIORITY_LOW);
answerParent(async ({ port, gets, atOnce, durationMs }: WaveJob): Promise<WaveResult> => {
  const statuses = new Map<number, number>();
  let bodyBytes = 0;
  const end = performance.now() + durationMs;
  for (let start = 0; performance.now() < end; start = start + atOnce < gets.length ? start + atOnce : 0) {
    const wave = gets.slice(start, start + atOnce);
    for (const { status, body } of await Promise.all(wave.map((get) => getOnce(port, get)))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      bodyBytes = Math.max(bodyBytes, body.length);
    }
  }
  return { statuses, bodyBytes };
});
