import { setImmediate as nextTurn } from 'node:timers/promises';

/** After so long everything else has a turn, in milliseconds. */
const TURN_MS = 5;

/**
 * The items, with turns for everything else between what is done with them: whoever waits for the event loop meanwhile
 * does so for about five milliseconds, or for one item. How many there are, and how long each takes, may be up to
 * strangers.
 */
export async function* inTurns<Item>(
  items: readonly Item[],
  monotonicMs: () => number = () => performance.now(),
): AsyncGenerator<Item, void, undefined> {
  let beganMs = monotonicMs();
  for (const item of items) {
    if (monotonicMs() - beganMs >= TURN_MS) {
      await nextTurn();
      beganMs = monotonicMs();
    }
    yield item;
  }
}

/** What `make` makes of each item, made in turns. */
export async function mapInTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for await (const item of inTurns(items)) made.push(make(item));
  return made;
}
