/** Calls under way at a time: more would only wait in the browser. */
const AT_A_TIME = 4;

export interface Ran<Item, Result> {
  readonly done: readonly { readonly item: Item; readonly result: Result }[];
  readonly failed: readonly { readonly item: Item; readonly error: unknown }[];
}

/** Runs it for each item, a few at a time. One that fails doesn't stop the others; both lists keep the given order. */
export async function runEach<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
  onProgress: (finished: number) => void = () => undefined,
): Promise<Ran<Item, Result>> {
  const outcomes: ({ readonly result: Result } | { readonly error: unknown })[] = [];
  let next = 0;
  let finished = 0;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      try {
        outcomes[index] = { result: await run(items[index]!) };
      } catch (error) {
        outcomes[index] = { error };
      }
      finished += 1;
      onProgress(finished);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return {
    done: items.flatMap((item, index) => {
      const outcome = outcomes[index]!;
      return 'result' in outcome ? [{ item, result: outcome.result }] : [];
    }),
    failed: items.flatMap((item, index) => {
      const outcome = outcomes[index]!;
      return 'error' in outcome ? [{ item, error: outcome.error }] : [];
    }),
  };
}
