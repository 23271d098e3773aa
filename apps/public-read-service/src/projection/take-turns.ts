/** Steps of one project after which it is the next one's turn. */
export const STEPS_OF_TURN = 10;

/**
 * Does the work of all of them, some steps at a time: who has many steps goes on when all others have had a turn. One
 * whose work fails is left out from then on.
 *
 * @param workOf yields after each step but the last
 * @param isStopping leaves out what is still to be done
 */
export async function takeTurns(
  ids: AsyncIterable<string>,
  workOf: (id: string) => AsyncIterator<void>,
  { onFailed, isStopping }: { onFailed: (id: string, error: unknown) => void; isStopping: () => boolean },
): Promise<void> {
  const unfinished = new Map<string, AsyncIterator<void>>();
  const takeTurn = async (id: string, work: AsyncIterator<void>) => {
    try {
      for (let step = 0; step < STEPS_OF_TURN && !isStopping(); step += 1) {
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
    await takeTurn(id, workOf(id));
  }
  while (unfinished.size > 0 && !isStopping()) {
    for (const [id, work] of [...unfinished]) await takeTurn(id, work);
  }
}
