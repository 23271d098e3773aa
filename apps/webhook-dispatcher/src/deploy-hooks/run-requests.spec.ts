import { recordingLogger } from '../../test/recording-logger.ts';
import { runRequests } from './run-requests.ts';

it('overdue changes join their windows while no slot is free', async () => {
  const joined = Promise.withResolvers<void>();
  const isNotCalled = () => Promise.reject(new Error('There is no free slot.'));
  const runner = runRequests({
    changes: {
      joinOverdue() {
        joined.resolve();
        return Promise.resolve([]);
      },
    },
    requests: {
      claim: isNotCalled,
      renew: () => Promise.resolve(new Set()),
      reclaimExpired: () => Promise.resolve([]),
    },
    make: isNotCalled,
    recordInterrupted: isNotCalled,
    rules: { quietMs: 0, maxWaitMs: 0 },
    concurrency: 0,
    perAccount: 0,
    leaseMs: 10_000,
    logger: recordingLogger().logger,
  });
  await joined.promise;
  await runner.stop(0);
});
