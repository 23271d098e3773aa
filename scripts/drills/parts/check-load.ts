import type { LoadResult } from './cluster.ts';
import type { DrillContext } from './drill.ts';

/** Checks that every request and delivery of a load succeeded, and that the receiver got each delivery once. */
export function checkLoad(
  { output, succeeded }: LoadResult,
  accepted: ReadonlyMap<string, number>,
  { say, check }: Pick<DrillContext, 'say' | 'check'>,
): void {
  for (const line of output.split('\n')) say(`  ${line}`);
  check('every read, publish and delivery under load succeeded', succeeded);
  const deliveries = Number(/(\d+) deliveries: 0 failed/.exec(output)?.[1]);
  const twice = [...accepted.values()].filter((times) => times > 1).length;
  check(`the receiver accepted ${accepted.size} deliveries, and none of them twice`, twice === 0);
  check(`among them are the ${deliveries} of the load`, accepted.size >= deliveries);
}
