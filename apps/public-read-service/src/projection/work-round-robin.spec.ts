import { STEPS_PER_ROUND, workRoundRobin } from './work-round-robin.ts';

/** Who takes how many steps, in order. */
async function workOn(steps: Record<string, number>, { failing = '', stopAfter = Infinity } = {}) {
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
  await workRoundRobin(ids(), workOf, {
    onFailed: (id) => failed.push(id),
    isStopping: () => taken.length >= stopAfter,
  });
  return { taken, failed };
}

const times = (count: number, id: string) => Array.from({ length: count }, () => id);

describe('work in rounds', () => {
  it('finishes a project with few steps before those with many, which share the rest', async () => {
    const { taken } = await workOn({ large: 2 * STEPS_PER_ROUND + 1, larger: 2 * STEPS_PER_ROUND + 2, small: 1 });
    const both = [...times(STEPS_PER_ROUND, 'large'), ...times(STEPS_PER_ROUND, 'larger')];
    expect(taken).toEqual([...both, 'small', ...both, 'large', 'larger', 'larger']);
  });

  it('continues with the others when one fails', async () => {
    const { taken, failed } = await workOn({ broken: 3, fine: 2 }, { failing: 'broken' });
    expect([taken, failed]).toEqual([['fine', 'fine'], ['broken']]);
  });

  it('ends immediately when it is stopped', async () => {
    const { taken } = await workOn({ large: 1_000, other: 1 }, { stopAfter: 3 });
    expect(taken).toHaveLength(3);
  });
});
