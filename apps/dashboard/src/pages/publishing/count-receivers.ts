import type { Publish } from '../../generated/types.gen.ts';
import { publishing as text } from '../../strings/sites/publishing.ts';

type Deliveries = readonly Pick<Publish['deliveries'][number], 'status'>[];

export interface Counts {
  readonly all: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly underWay: number;
}

/** How far a publish has come. What a newer change took over is neither a success nor a failure. */
export function countReceivers(deliveries: Deliveries): Counts {
  const of = (status: string) => deliveries.filter((each) => each.status === status).length;
  return {
    all: deliveries.length - of('superseded'),
    succeeded: of('succeeded'),
    failed: of('failed'),
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
