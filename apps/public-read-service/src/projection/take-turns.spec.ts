import { STEPS_OF_TURN, takeTurns } from './take-turns.ts';

/** Who takes how many steps, in order. */
async function takeTurnsOf(steps: Record<string, number>, { failing = '', stopAfter = Infinity } = {}) {
  const taken: string[] = [];
  const failed: string[] = [];
  async function* ids() {
    yield* await Promise.resolve(Object.keys(steps));
  }
  async function* workOf(id: string) {
    for (let step = 1; step <= steps[id]!; step += 1) {
      if (id === failing) throw new Error('Failed.');
      await Promise.resolve();
      taken.push(id);
      if (step < steps[id]!) yield;
    }
  }
  await takeTurns(ids(), workOf, {
    onFailed: (id) => failed.push(id),
    isStopping: () => taken.length >= stopAfter,
  });
  return { taken, failed };
}

const times = (count: number, id: string) => Array.from({ length: count }, () => id);

describe('taking turns', () => {
  it('lets who has little to do pass those with much, who share what is left', async () => {
    const { taken } = await takeTurnsOf({ large: 2 * STEPS_OF_TURN + 1, larger: 2 * STEPS_OF_TURN + 2, small: 1 });
    const both = [...times(STEPS_OF_TURN, 'large'), ...times(STEPS_OF_TURN, 'larger')];
    expect(taken).toEqual([...both, 'small', ...both, 'large', 'larger', 'larger']);
  });

  it('goes on with the others when the work of one fails', async () => {
    const { taken, failed } = await takeTurnsOf({ broken: 3, fine: 2 }, { failing: 'broken' });
    expect([taken, failed]).toEqual([['fine', 'fine'], ['broken']]);
  });

  it('ends at once when it is to stop', async () => {
    const { taken } = await takeTurnsOf({ large: 1_000, other: 1 }, { stopAfter: 3 });
    expect(taken).toHaveLength(3);
  });
});
