import { packPlan, unpackPlan, type PackedPlan } from './pack-plan.ts';
import type { PlannedFile } from './plan-import.ts';

// Async, as plans are.
// oxlint-disable-next-line typescript/require-await
async function* planOf(files: readonly PlannedFile[]): AsyncGenerator<PlannedFile> {
  yield* files;
}

const fileOf = (number: number): PlannedFile => ({
  path: `${number}\n.md`,
  status: 'waiting',
  post: {
    slug: `post-${number}`,
    request: { title: '語\n', content: `${number} `.repeat(100_000) },
    isDraft: false,
    date: null,
    notes: ['One.'],
  },
});

async function filesOf(plan: PackedPlan): Promise<PlannedFile[]> {
  const files: PlannedFile[] = [];
  for await (const file of unpackPlan(plan)) files.push(file);
  return files;
}

describe('packPlan', () => {
  it('gives the files of a plan in order, as often as it is asked', async () => {
    const files = [
      ...Array.from({ length: 10 }, (_, index) => fileOf(index)),
      { path: '*', status: 'skipped' as const, message: 'No.' },
    ];
    const plan = await packPlan(planOf(files));
    for (const time of ['first', 'second']) expect([time, await filesOf(plan)]).toEqual([time, files]);
  });

  it('has none of an empty plan', async () => {
    expect(await filesOf(await packPlan(planOf([])))).toEqual([]);
  });

  it('fails with the plan', async () => {
    const failing = async function* () {
      yield* planOf([fileOf(1)]);
      throw new Error('took too long');
    };
    await expect(packPlan(failing())).rejects.toThrow('took too long');
  });
});
