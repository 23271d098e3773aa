/** Begins one action for each item, evenly, so many a second. Resolves when all have ended. */
export async function atRate<Item, Result>(
  perSecond: number,
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const running: Promise<Result>[] = [];
  const startedAt = performance.now();
  for (const [index, item] of items.entries()) {
    const dueInMs = startedAt + (index * 1_000) / perSecond - performance.now();
    if (dueInMs > 0) await new Promise((resolve) => setTimeout(resolve, dueInMs));
    running.push(act(item));
  }
  return Promise.all(running);
}
