import type { Delivery } from '../../../generated/types.gen.ts';
import { tookMs } from '../durations.ts';

/** What the last attempt that has ended got, and how long it took; null before that. */
export function lastAttempt({
  attempts,
}: {
  readonly attempts: readonly Pick<Delivery['attempts'][number], 'started_at' | 'ended_at' | 'status_code'>[];
}): { readonly statusCode: number | null; readonly ms: number } | null {
  const last = attempts.findLast(({ ended_at }) => ended_at !== null);
  return last === undefined ? null : { statusCode: last.status_code, ms: tookMs(last) ?? 0 };
}
