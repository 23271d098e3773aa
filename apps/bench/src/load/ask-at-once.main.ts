import { constants, setPriority } from 'node:os';
import { answerParent } from '../processes/child.ts';
import { getOnce, type PublicGet } from './http-request.ts';

/** Batches of concurrent requests: the next batch starts when the one before is answered. */
export interface WaveJob {
  readonly port: number;
  /** Started again from the first when all have been made. */
  readonly gets: readonly PublicGet[];
  readonly atOnce: number;
  readonly durationMs: number;
}

/** The result. */
export interface WaveResult {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Of the largest answer. */
  readonly bodyBytes: number;
}

// A process of its own that yields to the measuring one: reading such bodies takes a good part of a core.
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
