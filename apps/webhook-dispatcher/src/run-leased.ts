import { type LeaseRunner, type LeaseRunnerOptions, startLeaseRunner } from './concurrency/lease-runner.ts';
import { createLanes, type FreeSlots } from './concurrency/slots.ts';
import type { Lease } from './http/exchange.ts';

/** A job that a claim took. */
interface Claimed {
  readonly projectId: string;
  /** Whose project it is of. Accounts are the tenants of the slots. */
  readonly accountId: string;
  /** The fencing token: recording and renewing need it. */
  readonly leaseToken: string;
}

export interface LeasedOptions<Job extends Claimed> extends Pick<
  LeaseRunnerOptions,
  'name' | 'reclaim' | 'pollIntervalMs' | 'leaseMs' | 'logger'
> {
  readonly store: {
    /** Takes what is due, within the free slots. */
    claim(free: FreeSlots, leaseMs: number): Promise<Job[]>;
    /** Resolves to the tokens that are still held. */
    renew(tokens: readonly string[], leaseMs: number): Promise<ReadonlySet<string>>;
  };
  /** Does it, and records the result. When it rejects, the lease has to expire. */
  readonly run: (job: Job, lease: Lease) => Promise<unknown>;
  /** What log lines say of a job. */
  readonly logFields: (job: Job) => object;
  /** Most concurrent jobs that are not slow; see `slots.ts`. */
  readonly concurrency: number;
  /** Most of them for the projects of one account. */
  readonly perAccount: number;
}

/** Runs the jobs of a kind, each under a lease of its own and in slots that accounts share. */
export function runLeased<Job extends Claimed>(options: LeasedOptions<Job>): LeaseRunner {
  const { name, store, run, logFields, leaseMs, logger } = options;
  return startLeaseRunner({
    ...options,
    slots: createLanes({ concurrency: options.concurrency, perTenant: options.perAccount }),
    async claim(free) {
      const claimed = await store.claim(free, leaseMs);
      const jobs = claimed.map((job) => ({
        id: job.leaseToken,
        leaseToken: job.leaseToken,
        tenantId: job.accountId,
        receiverId: job.projectId,
        logFields: logFields(job),
        async run(lease: Lease) {
          // Another process may have reclaimed it by now.
          if (lease.isHeld()) await run(job, lease);
          else logger.warn(`${name}.lease_lost`, logFields(job));
        },
      }));
      return { jobs, mayHaveMore: jobs.length > 0, leavesSome: true, nextDueInMs: null };
    },
    renew: (jobs) =>
      store.renew(
        jobs.map(({ leaseToken }) => leaseToken),
        leaseMs,
      ),
  });
}
