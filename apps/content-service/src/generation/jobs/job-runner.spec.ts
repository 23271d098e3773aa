import { createLogger } from '@blog-content/service-runtime';
import { eventually } from '@blog-content/testing';
import type { ClaimedJob } from './job.ts';
import type { JobLeaseStore } from './job-lease-store.ts';
import { startJobRunner } from './job-runner.ts';

const job = (leaseToken: string): ClaimedJob => ({
  ...{ id: leaseToken, projectId: 'p', requestedBy: 'a', kind: 'post', request: {}, sources: null },
  ...{ step: 'outline', stepsDone: 0, work: null, blogId: null, tries: 1, createdAt: new Date() },
  leaseToken,
});
const never = () => Promise.reject(new Error('Nothing ends here.'));

describe('the renewal of leases', () => {
  it('gives no turn up that began while it was under way', async () => {
    const due = [job('first')];
    const aborted: string[] = [];
    let renewals = 0;
    let endRenewal: (held: ReadonlySet<string>) => void = () => undefined;
    const jobs: JobLeaseStore = {
      claim: () => Promise.resolve(due.shift() ?? null),
      renew: (tokens) => {
        renewals += 1;
        // Only the first one is slow.
        if (renewals > 1) return Promise.resolve(new Set(tokens));
        return new Promise((resolve) => {
          endRenewal = () => resolve(new Set(tokens));
        });
      },
      ...{ checkpoint: never, succeed: never, fail: never, postpone: never },
      release: () => Promise.resolve(),
    };
    const begun: string[] = [];
    const runner = startJobRunner({
      jobs,
      takeTurn: ({ leaseToken }, signal) => {
        begun.push(leaseToken);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(leaseToken);
            reject(new Error('aborted'));
          });
        });
      },
      slots: 2,
      leaseMs: 30,
      dueWatch: { add: () => undefined },
      logger: createLogger('test', 'error'),
    });
    await eventually(() => Promise.resolve(expect(renewals).toBe(1)));
    due.push(job('second'));
    runner.wake();
    await eventually(() => Promise.resolve(expect(begun).toEqual(['first', 'second'])));
    endRenewal(new Set());
    await eventually(() => Promise.resolve(expect(renewals).toBeGreaterThan(1)));
    expect(aborted).toEqual([]);
    await runner.stop();
    expect(aborted.toSorted()).toEqual(['first', 'second']);
  });
});

describe('the slots of turns', () => {
  let waking: NodeJS.Timeout | undefined;
  afterEach(() => clearInterval(waking));
  const startSilent = (slowAfterMs: number) => {
    const due = Array.from({ length: 20 }, (_, index) => job(String(index)));
    const begun: string[] = [];
    let renewals = 0;
    const jobs: JobLeaseStore = {
      claim: () => Promise.resolve(due.shift() ?? null),
      renew(tokens) {
        renewals += 1;
        return Promise.resolve(new Set(tokens));
      },
      ...{ checkpoint: never, succeed: never, fail: never, postpone: never },
      release: () => Promise.resolve(),
    };
    const runner = startJobRunner({
      jobs,
      takeTurn({ leaseToken }, signal) {
        begun.push(leaseToken);
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
      slots: 1,
      slowAfterMs,
      leaseMs: 30,
      // There is always work that is due.
      dueWatch: { add: (_isDue, wake) => void (waking = setInterval(wake, 5)) },
      logger: createLogger('test', 'error'),
    });
    return { runner, begun, renewals: () => renewals };
  };

  it('are given back by what waits for long, as a model’s server that never answers makes it, up to eight times', async () => {
    const { runner, begun, renewals } = startSilent(1);
    await eventually(() => Promise.resolve(expect(begun).toHaveLength(8)));
    const before = renewals();
    await eventually(() => Promise.resolve(expect(renewals()).toBeGreaterThan(before + 5)));
    expect(begun).toHaveLength(8);
    await runner.stop();
  });

  it('are kept by what does not', async () => {
    const { runner, begun, renewals } = startSilent(3_600_000);
    await eventually(() => Promise.resolve(expect(renewals()).toBeGreaterThan(5)));
    expect(begun).toEqual(['0']);
    await runner.stop();
  });
});
