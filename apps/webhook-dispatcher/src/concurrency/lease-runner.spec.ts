import { recordingLogger } from '../../test/recording-logger.ts';
import { createLanes } from './lanes.ts';
import { type LeasedJob, startLeaseRunner } from './lease-runner.ts';

/** Keeps the thread longer than one turn may. */
function keepBusy(): void {
  const endMs = performance.now() + 6;
  while (performance.now() < endMs);
}

it('what a claim takes begins in turns, so that nobody waits until all of its bodies are built', async () => {
  const happened: string[] = [];
  const over = Promise.withResolvers<void>();
  const jobOf = (id: string, run: () => void): LeasedJob => ({
    ...{ id, leaseToken: 'one for all', tenantId: 'a', receiverId: 'r', logFields: {} },
    run: () => {
      happened.push(id);
      run();
      return over.promise;
    },
  });
  const jobs = [
    jobOf('first', () => {
      setImmediate(() => happened.push('somebody else'));
      keepBusy();
    }),
    jobOf('second', keepBusy),
    jobOf('third', over.resolve),
  ];
  const runner = startLeaseRunner({
    name: 'test',
    claim: () => Promise.resolve({ jobs: jobs.splice(0), mayHaveMore: false, nextDueInMs: null }),
    renew: (tokens) => Promise.resolve(new Set(tokens)),
    deleteLeases: () => Promise.resolve(),
    reclaim: () => Promise.resolve(),
    slots: createLanes({ concurrency: 8, perTenant: 8 }),
    leaseMs: 10_000,
    pollIntervalMs: 10_000,
    logger: recordingLogger().logger,
  });
  await over.promise;
  await runner.stop(0);
  expect(happened).toEqual(['first', 'somebody else', 'second', 'third']);
  expect(runner.countRunning()).toBe(0);
});
