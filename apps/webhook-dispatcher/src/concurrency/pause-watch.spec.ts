import { watchPauses } from './lease-runner.ts';

it('a long enough pause is noticed once, at the first check after it', () => {
  let nowMs = 0;
  const pauses: number[] = [];
  const watch = watchPauses(
    5_000,
    (pausedMs) => pauses.push(pausedMs),
    () => nowMs,
  );
  for (const sinceLastMs of [1_000, 5_000, 5_001, 0, 7_000]) {
    nowMs += sinceLastMs;
    watch.look();
  }
  watch.stop();
  expect(pauses).toEqual([5_001, 7_000]);
});
