import { createProgress } from './lease-runner.ts';

it('a loop that has not succeeded for 15 s is unhealthy until it succeeds again', async () => {
  let nowMs = 0;
  const progress = createProgress('The claim loop', { now: () => nowMs });
  nowMs = 14_999;
  await progress.check();
  nowMs = 15_000;
  await expect(progress.check()).rejects.toThrow('The claim loop has not succeeded for 15 s.');
  progress.made();
  await progress.check();
});
