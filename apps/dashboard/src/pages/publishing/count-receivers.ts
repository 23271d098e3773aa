import type { Publish } from '../../generated/types.gen.ts';
import { publishing as text } from '../../strings/sites/publishing.ts';

type Deliveries = readonly Pick<Publish['deliveries'][number], 'status' | 'recovered_at'>[];

export interface Counts {
  readonly all: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly underWay: number;
}

/** Destinations that have the publish or a newer one, however they got it. Superseded deliveries count as neither. */
export function countReceivers(deliveries: Deliveries): Counts {
  const of = (status: string) => deliveries.filter((each) => each.status === status).length;
  const recovered = deliveries.filter((each) => each.status === 'failed' && each.recovered_at !== null).length;
  return {
    all: deliveries.length - of('superseded'),
    succeeded: of('succeeded') + recovered,
    failed: of('failed') - recovered,
    underWay: of('pending'),
  };
}

/** The same in words. */
export function sayReceivers(deliveries: Deliveries): string {
  const { all, succeeded, failed, underWay } = countReceivers(deliveries);
  if (all === 0) return text.noReceivers;
  return [
    text.of(succeeded, all),
    ...(failed > 0 ? [text.failedOf(failed)] : []),
    ...(underWay > 0 ? [text.waitingOf(underWay)] : []),
  ].join(', ');
}
