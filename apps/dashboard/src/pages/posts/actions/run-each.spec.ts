import { runEach } from './run-each.ts';

const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

describe('an action that is run for each post', () => {
  it('runs four at a time and reports progress', async () => {
    let running = 0;
    let most = 0;
    const progress: number[] = [];
    await runEach(
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      async () => {
        running += 1;
        most = Math.max(most, running);
        await nextIteration();
        running -= 1;
      },
      (finished) => progress.push(finished),
    );
    expect(most).toBe(4);
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('continues after a failure, and lists successes and failures in the given order', async () => {
    const { done, failed } = await runEach([3, 1, 2], async (item) => {
      for (let wait = 0; wait < item; wait += 1) await nextIteration();
      if (item === 1) throw new Error('no');
      return item * 10;
    });
    expect(done).toEqual([
      { item: 3, result: 30 },
      { item: 2, result: 20 },
    ]);
    expect(failed).toEqual([{ item: 1, error: new Error('no') }]);
  });

  it('runs nothing for no posts', async () => {
    expect(await runEach([], () => Promise.reject(new Error('never')))).toEqual({ done: [], failed: [] });
  });
});
