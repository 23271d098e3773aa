import { createBatcher } from './create-batcher.ts';

/** Runs that end when they are told to. */
function heldRuns() {
  const runs: { readonly items: readonly string[]; end(error?: Error): void }[] = [];
  const run = (items: readonly string[]) =>
    new Promise<string[]>((resolve, reject) => {
      runs.push({
        items,
        end: (error) => {
          if (error === undefined) resolve(items.map((item) => `${item}!`));
          else reject(error);
        },
      });
    });
  return { runs, run };
}

const options = { maxSize: 3, keyOf: (item: string) => item.slice(0, 1) };
const someIterations = async () => {
  for (let iteration = 0; iteration < 10; iteration += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('calls in batches', () => {
  it('fill a batch up to its size', async () => {
    const { runs, run } = heldRuns();
    const { add, idle } = createBatcher({ maxSize: 5, sizeOf: (item: string) => item.length, run });
    const all = Promise.all(['aa', 'bb', 'cc', 'd'].map(add));
    await someIterations();
    expect(runs.map(({ items }) => items)).toEqual([['aa', 'bb', 'cc']]);
    runs[0]?.end();
    await someIterations();
    runs[1]?.end();
    await all;
    await idle();
    expect(runs[1]?.items).toEqual(['d']);
  });

  it('run the first call immediately, and together those that come during it, in their order', async () => {
    const { runs, run } = heldRuns();
    const { add: call } = createBatcher({ ...options, run });
    const first = call('a');
    await someIterations();
    const others = [call('b'), call('c')];
    await someIterations();
    expect(runs.map(({ items }) => items)).toEqual([['a']]);
    runs[0]?.end();
    expect(await first).toBe('a!');
    await someIterations();
    expect(runs.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
    runs[1]?.end();
    expect(await Promise.all(others)).toEqual(['b!', 'c!']);
  });

  it('are limited in one run, with no two of one key', async () => {
    const { runs, run } = heldRuns();
    const { add: call } = createBatcher({ ...options, run });
    const all = Promise.all(['a1', 'a2', 'b1', 'c1', 'd1', 'a3'].map(call));
    for (let index = 0; index < 3; index += 1) {
      await someIterations();
      runs[index]?.end();
    }
    await all;
    expect(runs.map(({ items }) => items)).toEqual([['a1', 'b1', 'c1'], ['a2', 'd1'], ['a3']]);
  });

  it('fail together, and the next run continues', async () => {
    const { runs, run } = heldRuns();
    const { add: call } = createBatcher({ ...options, run });
    const failing = Promise.allSettled([call('a'), call('b')]);
    await someIterations();
    runs[0]?.end(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = call('a');
    await someIterations();
    runs[1]?.end();
    expect(await next).toBe('a!');
  });

  it('run one by one when one of them fails, so that the others succeed', async () => {
    const run = (items: readonly string[]) =>
      items.includes('bad') ? Promise.reject(new Error('bad')) : Promise.resolve(items.map((item) => `${item}!`));
    const { add: call } = createBatcher({
      ...options,
      run,
      isOfOneItem: (error) => error instanceof Error && error.message === 'bad',
    });
    const settled = await Promise.allSettled(['a', 'bad', 'c'].map(call));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
