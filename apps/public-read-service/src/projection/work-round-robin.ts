/** Steps of one project in a round. */
export const STEPS_PER_ROUND = 10;

/**
 * Does the work of all projects in rounds, with some steps of each. A project that has more steps waits for the next
 * round. One whose work fails has none from then on.
 *
 * @param workOf yields after each step but the last
 * @param isStopping leaves out what is still to be done
 */
export async function workRoundRobin(
  ids: AsyncIterable<string>,
  workOf: (id: string) => AsyncIterator<void>,
  { onFailed, isStopping }: { onFailed: (id: string, error: unknown) => void; isStopping: () => boolean },
): Promise<void> {
  const unfinished = new Map<string, AsyncIterator<void>>();
  const workOnce = async (id: string, work: AsyncIterator<void>) => {
    try {
      for (let step = 0; step < STEPS_PER_ROUND && !isStopping(); step += 1) {
        if ((await work.next()).done === true) return void unfinished.delete(id);
      }
      unfinished.set(id, work);
    } catch (error) {
      unfinished.delete(id);
      onFailed(id, error);
    }
  };
  for await (const id of ids) {
    if (isStopping()) return;
    await workOnce(id, workOf(id));
  }
  while (unfinished.size > 0 && !isStopping()) {
    for (const [id, work] of [...unfinished]) await workOnce(id, work);
  }
}
