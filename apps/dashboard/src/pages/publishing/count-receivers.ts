import type { Publish } from '../../generated/types.gen.ts';

export interface Counts {
  readonly all: number;
  readonly answered: number;
  readonly failed: number;
  readonly underWay: number;
}

/** How far a publish has come. What a newer change took over is neither a success nor a failure. */
export function countReceivers(deliveries: readonly Pick<Publish['deliveries'][number], 'status'>[]): Counts {
  const of = (status: string) => deliveries.filter((each) => each.status === status).length;
  return {
    all: deliveries.length - of('superseded'),
    answered: of('succeeded'),
    failed: of('failed'),
    underWay: of('pending'),
  };
}
