import { constants, setPriority } from 'node:os';
import { answerParent } from '../processes/child.ts';
import { getOnce, type PublicGet } from './http-request.ts';

/** Requests that are made all at once, again and again, each time when all of them are answered. */
export interface WaveJob {
  readonly port: number;
  readonly gets: readonly PublicGet[];
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
answerParent(async ({ port, gets, durationMs }: WaveJob): Promise<WaveResult> => {
  const statuses = new Map<number, number>();
  let bodyBytes = 0;
  for (const end = performance.now() + durationMs; performance.now() < end;) {
    for (const { status, body } of await Promise.all(gets.map((get) => getOnce(port, get)))) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      bodyBytes = Math.max(bodyBytes, body.length);
    }
  }
  return { statuses, bodyBytes };
});
