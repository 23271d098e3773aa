import type { Delivery } from '../../generated/types.gen.ts';
import { tookMs } from '../../parts/deliveries/durations.ts';

export interface MeasuredAttempt {
  readonly startedAt: string;
  readonly ms: number;
  readonly statusCode: number | null;
  readonly succeeded: boolean;
}

/** The attempts of deliveries that have ended, oldest first. */
export function measure(newestFirst: readonly Pick<Delivery, 'attempts'>[]): readonly MeasuredAttempt[] {
  return newestFirst
    .flatMap(({ attempts }) => attempts)
    .flatMap((attempt) => {
      const { started_at: startedAt, status_code: statusCode, reason } = attempt;
      const ms = tookMs(attempt);
      return ms === null ? [] : [{ startedAt, ms, statusCode, succeeded: reason === null }];
    })
    .sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
}

/** Half of them took this long or less; 0 of none. */
export function medianMs(measured: readonly MeasuredAttempt[]): number {
  const sorted = measured.map(({ ms }) => ms).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
}

/** The longest bar: four times the slowest success, so that one timeout does not flatten all the others. */
export function capOf(measured: readonly MeasuredAttempt[]): number {
  const of = (all: readonly MeasuredAttempt[]) => Math.max(0, ...all.map(({ ms }) => ms));
  const slowest = of(measured.filter(({ succeeded }) => succeeded));
  return slowest === 0 ? of(measured) : Math.min(of(measured), 4 * slowest);
}
