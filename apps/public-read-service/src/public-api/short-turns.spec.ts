import { createShortTurns } from './short-turns.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('tasks while something waits for the database', () => {
  it('run at once when nothing does', () => {
    const turns = createShortTurns();
    const done: number[] = [];
    turns.run(() => done.push(1));
    expect(done).toEqual([1]);
  });

  it('run four in a turn, in their order, and all of them', async () => {
    const turns = createShortTurns();
    const done: number[] = [];
    const answer = Promise.withResolvers<void>();
    const work = turns.during(() => answer.promise);
    for (let task = 0; task < 10; task += 1) turns.run(() => done.push(task));
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual([0, 1, 2, 3]);
    await turn();
    expect(done.length).toBe(8);
    turns.run(() => done.push(10));
    await turn();
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    answer.resolve();
    await work;
    turns.run(() => done.push(11));
    expect(done.at(-1)).toBe(11);
  });

  it('do not overtake each other when the wait ends', async () => {
    const turns = createShortTurns();
    const done: number[] = [];
    await turns.during(async () => {
      for (let task = 0; task < 6; task += 1) turns.run(() => done.push(task));
      await Promise.resolve();
    });
    turns.run(() => done.push(6));
    await turn();
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('go on when the work fails', async () => {
    const turns = createShortTurns();
    await expect(turns.during(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    const done: number[] = [];
    turns.run(() => done.push(1));
    expect(done).toEqual([1]);
  });
});
