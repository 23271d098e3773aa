import { recordingLogger } from '../../test/recording-logger.ts';
import { createLanes } from './slots.ts';
import { type LeasedJob, startLeaseRunner } from './lease-runner.ts';

/** Keeps the thread longer than a slice may. */
function keepBusy(): void {
  const endMs = performance.now() + 6;
  while (performance.now() < endMs);
}

/** A runner of jobs that are all claimed together. */
function startWith(jobs: LeasedJob[]) {
  return startLeaseRunner({
    name: 'test',
    claim: () => Promise.resolve({ jobs: jobs.splice(0), mayHaveMore: false, leavesSome: false, nextDueInMs: null }),
    renew: (renewed) => Promise.resolve(new Set(renewed.map(({ leaseToken }) => leaseToken))),
    slots: createLanes({ concurrency: 8, perTenant: 8 }),
    leaseMs: 10_000,
    pollIntervalMs: 10_000,
    logger: recordingLogger().logger,
  });
}

const jobOf = (id: string, run: LeasedJob['run']): LeasedJob => ({
  ...{ id, leaseToken: 'one for all', tenantId: 'a', receiverId: 'r', logFields: {} },
  run,
});

it('a claim starts its jobs in slices, so that other work does not wait until all bodies are built', async () => {
  const happened: string[] = [];
  const over = Promise.withResolvers<void>();
  const happens = (id: string, work: () => void) =>
    jobOf(id, () => {
      happened.push(id);
      work();
      return over.promise;
    });
  const runner = startWith([
    happens('first', () => {
      setImmediate(() => happened.push('other work'));
      keepBusy();
    }),
    happens('second', keepBusy),
    happens('third', over.resolve),
  ]);
  await over.promise;
  await runner.stop(0);
  expect(happened).toEqual(['first', 'other work', 'second', 'third']);
  expect(runner.countRunning()).toBe(0);
});

it('a job that throws before it waits for anything does not keep others from running, and frees its slot', async () => {
  const over = Promise.withResolvers<void>();
  const runner = startWith([
    jobOf('broken', () => {
      throw new Error('broken');
    }),
    jobOf('next', () => Promise.resolve(over.resolve())),
  ]);
  await over.promise;
  await runner.stop(0);
  expect(runner.countRunning()).toBe(0);
});
