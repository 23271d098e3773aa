import { createWakeSignal, inSlices, waitUntilQuiet } from '@blog-content/concurrency';
import { performance } from 'node:perf_hooks';
import { type Logger, repeat } from '@blog-content/service-runtime';
import type { Lease } from '../http/exchange.ts';
import type { Lanes, FreeSlots } from './slots.ts';

/** A claim of so many jobs is followed by another. */
const BUSY = 16;
/**
 * How long a claim waits at most after one of {@link BUSY} jobs, in milliseconds: what may be claimed in a moment costs
 * no statement of its own.
 */
const LINGER_MS = 20;
const MAX_RECLAIM_INTERVAL_MS = 5_000;

/** Something to do under a lease. */
export interface LeasedJob {
  readonly id: string;
  /** The fencing token. Jobs of one claim may share it. */
  readonly leaseToken: string;
  /** Whose slot it takes: a project, or an account. */
  readonly tenantId: string;
  /** Where it goes, for limits per receiver. */
  readonly receiverId: string;
  /**
   * Does it, and records the outcome. Resolves to true when it is over and never becomes due again. When it rejects,
   * nothing is recorded, and its lease has to run out.
   */
  readonly run: (lease: Lease) => Promise<unknown>;
  /** What a log line says of it. */
  readonly logFields: object;
}

/** What a claim took. */
export interface ClaimedJobs {
  readonly jobs: readonly LeasedJob[];
  /** Whether more may be due. */
  readonly mayHaveMore: boolean;
  /** Whether something due may be left that can be claimed once a running job has ended. */
  readonly leavesSome: boolean;
  /** Milliseconds until the next job becomes due; null when that is not known. */
  readonly nextDueInMs: number | null;
}

/** A job under way. It does not keep what was claimed: that may be large, and is needed only while it is sent. */
export interface RunningJob {
  readonly id: string;
  readonly receiverId: string;
  /** Whether its lease certainly still runs. */
  readonly isHeld: boolean;
}

export interface LeaseRunnerOptions {
  /** Begins the names of log events. */
  readonly name: string;
  /** Takes what is due, within the free slots. Called one at a time. */
  readonly claim: (free: FreeSlots, running: readonly RunningJob[]) => Promise<ClaimedJobs>;
  /** Renews the leases of these jobs; resolves to the tokens of those that are still held. */
  readonly renew: (jobs: readonly Pick<LeasedJob, 'id' | 'leaseToken'>[]) => Promise<ReadonlySet<string>>;
  /** Deletes leases under which nothing runs any more; left out where a lease is part of its job's row. */
  readonly deleteLeases?: (tokens: readonly string[]) => Promise<void>;
  /** Records what expired leases held: their processes have died. Left out where a claim takes it. */
  readonly reclaim?: () => Promise<void>;
  readonly slots: Lanes;
  readonly leaseMs: number;
  /** Longest time between two claims, in milliseconds. */
  readonly pollIntervalMs: number;
  /** How long no claim may have succeeded, in milliseconds. */
  readonly stuckAfterMs?: number;
  readonly logger: Logger;
}

/** Runs leased jobs until it is stopped. */
export interface LeaseRunner {
  /** Something may be due: claim now. */
  readonly wake: () => void;
  readonly countRunning: () => number;
  /** How many run at the receiver that has most of them. */
  readonly countAtBusiest: () => number;
  /** Rejects when no claim has succeeded for long, though there was a free slot. */
  readonly checkProgress: () => Promise<void>;
  /** Claims nothing from now on; running jobs continue. */
  readonly stopClaiming: () => void;
  /** Claims nothing more, lets jobs end for `graceMs`, then interrupts the others. Resolves when all are settled. */
  stop(graceMs: number): Promise<void>;
}

/** A lease of this process, with the jobs that run under it. */
interface HeldLease {
  readonly abort: AbortController;
  /** By the monotonic clock, from before the database set it: it certainly lasts until then. */
  heldUntilMs: number;
  running: number;
  /** A job under it was not recorded: everybody else takes it for running until the lease has expired. */
  mustExpire: boolean;
}

interface AdmittedJob extends Pick<LeasedJob, 'id' | 'leaseToken' | 'receiverId'> {
  readonly lease: HeldLease;
  readonly settled: Promise<void>;
}

/**
 * Claims jobs and runs them under leases.
 *
 *             claim                 settle
 *     due ────────────▶ running ────────────▶ settled
 *      ▲                   │
 *      │      reclaim      ▼ the process died, or could not record
 *      └──────────────  expired
 *
 * - **claim**: one at a time, so that each counts what the ones before it have started. It sleeps until it is woken,
 *   until the next job is due, or for `pollIntervalMs`.
 * - **running**: leases are renewed three times a lease. A job is interrupted when its lease was lost, and all are when
 *   this process was paused for more than half a lease: another may have reclaimed them.
 * - **settled**: the lease is deleted once nothing runs under it.
 * - **reclaim**: any process takes back what an expired lease held, under a new fencing token.
 * - **drain**: `stop` claims nothing more and resolves when everything is settled.
 */
export function startLeaseRunner(options: LeaseRunnerOptions): LeaseRunner {
  const { name, slots, leaseMs, pollIntervalMs, logger } = options;
  const progress = createProgress(`The claim loop of ${name}`, options);
  const leases = new Map<string, HeldLease>();
  const running = new Set<AdmittedJob>();
  const signal = createWakeSignal();
  let isStopping = false;
  /** Whether the end of a job may let another one go. That is not known before the first claim, and during one. */
  let leavesSome = true;

  const interruptAll = () => {
    for (const lease of leases.values()) lease.abort.abort();
  };
  const pauses = watchPauses(leaseMs / 2, (pausedMs) => {
    logger.warn(`${name}.paused`, { paused_ms: Math.round(pausedMs), aborted: running.size });
    interruptAll();
  });

  const leaseOf = (token: string, heldUntilMs: number): HeldLease => {
    const known = leases.get(token);
    if (known !== undefined) return known;
    const lease = { abort: new AbortController(), heldUntilMs, running: 0, mustExpire: false };
    leases.set(token, lease);
    return lease;
  };

  /** Takes a job's slot and its share of the lease. Gives what begins it, which keeps nothing of what it runs. */
  const admit = ({ id, leaseToken, tenantId, receiverId, logFields }: LeasedJob, heldUntilMs: number) => {
    const lease = leaseOf(leaseToken, heldUntilMs);
    const leaveSlot = slots.enter(tenantId);
    const isHeld = () => {
      // After a pause, what was read from sockets meanwhile is handled before any timer.
      pauses.look();
      return !lease.abort.signal.aborted && performance.now() < lease.heldUntilMs;
    };
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
    const job: AdmittedJob = { id, leaseToken, receiverId, lease, settled };
    lease.running += 1;
    running.add(job);
    // No `async` function: it would keep the job, and with it the event, until its end.
    return (run: LeasedJob['run']): void => {
      void promiseTry(run, { isHeld, interrupted: lease.abort.signal })
        .catch((error: unknown) => {
          lease.mustExpire = true;
          logger.error(`${name}.not_recorded`, { ...logFields, error });
        })
        .then((isOver) => {
          leaveSlot();
          lease.running -= 1;
          running.delete(job);
          if (leavesSome || isOver !== true) signal.wake();
          settle();
        });
    };
  };

  /**
   * All are admitted before the first begins: a lease under which nothing ran would be deleted. They begin in slices,
   * because building a body takes as long as its author likes.
   */
  const start = async (jobs: readonly LeasedJob[], heldUntilMs: number) => {
    const admitted = jobs.map((job) => ({ begin: admit(job, heldUntilMs), run: job.run }));
    for await (const { begin, run } of inSlices(admitted)) begin(run);
  };

  /** A job that counts as slow leaves a slot. */
  const longestSleepMs = () => Math.min(pollIntervalMs, slots.nextSlowInMs() ?? Infinity);

  /** Resolves to how long nothing more is due, in milliseconds, and how many jobs it has started. */
  const claimDue = async (): Promise<{ sleepMs: number; started: number }> => {
    leavesSome = true;
    const free = slots.free();
    if (free.inAll === 0) return { sleepMs: longestSleepMs(), started: 0 };
    const askedMs = performance.now();
    const { jobs, mayHaveMore, nextDueInMs, ...left } = await options.claim(
      free,
      Array.from(running, ({ id, receiverId, lease }) => ({ id, receiverId, isHeld: askedMs < lease.heldUntilMs })),
    );
    leavesSome = left.leavesSome;
    await start(jobs, askedMs + leaseMs);
    const sleepMs = mayHaveMore ? 0 : Math.min(longestSleepMs(), nextDueInMs ?? Infinity);
    return { sleepMs, started: jobs.length };
  };

  const loop = async () => {
    while (!isStopping) {
      let [sleepMs, started] = [pollIntervalMs, 0];
      try {
        ({ sleepMs, started } = await claimDue());
        progress.made();
      } catch (error) {
        logger.warn(`${name}.claim_failed`, { error });
      }
      await signal.sleep(sleepMs);
      if (started >= BUSY && !isStopping) await waitUntilQuiet(() => running.size, LINGER_MS);
    }
  };

  const renew = async () => {
    const settled = [...leases].filter(([, lease]) => lease.running === 0);
    const inUse = [...leases].filter(([, lease]) => lease.running > 0);
    if (inUse.length > 0) {
      const askedMs = performance.now();
      const renewed = await options.renew(Array.from(running, ({ id, leaseToken }) => ({ id, leaseToken })));
      for (const [token, lease] of inUse) {
        if (renewed.has(token)) lease.heldUntilMs = askedMs + leaseMs;
        else lease.abort.abort();
      }
    }
    const over = settled.filter(([, lease]) => !lease.mustExpire).map(([token]) => token);
    if (over.length > 0) await options.deleteLeases?.(over);
    for (const [token] of settled) leases.delete(token);
  };

  const claiming = loop();
  const renewal = repeat(`${name}.renewal`, leaseMs / 3, renew, logger);
  const reclaiming =
    options.reclaim &&
    repeat(`${name}.reclaim`, Math.min(leaseMs / 2, MAX_RECLAIM_INTERVAL_MS), options.reclaim, logger);

  const stopClaiming = () => {
    isStopping = true;
    signal.wake();
  };
  return {
    wake: signal.wake,
    countRunning: () => running.size,
    countAtBusiest() {
      const counts = Map.groupBy(running, ({ receiverId }) => receiverId);
      return Math.max(0, ...Array.from(counts.values(), ({ length }) => length));
    },
    checkProgress: () => progress.check(),
    stopClaiming,
    async stop(graceMs) {
      stopClaiming();
      const reclaimed = reclaiming?.stop();
      await claiming;
      const grace = setTimeout(interruptAll, graceMs);
      await Promise.all(Array.from(running, ({ settled }) => settled));
      clearTimeout(grace);
      await Promise.all([reclaimed, renewal.stop()]);
      pauses.stop();
    },
  };
}

/** As `Promise.try`: a synchronous throw rejects, too. Apart, so that no handler of the attempt keeps `run`. */
function promiseTry(run: LeasedJob['run'], lease: Lease): Promise<unknown> {
  return new Promise((resolve) => resolve(run(lease)));
}

/** Calls `onPause` when more than `longestMs` have passed between two looks; it looks by itself four times as often. */
export function watchPauses(
  longestMs: number,
  onPause: (pausedMs: number) => void,
  now: () => number = () => performance.now(),
) {
  let lastLookMs = now();
  const look = () => {
    const pausedMs = now() - lastLookMs;
    lastLookMs += pausedMs;
    if (pausedMs > longestMs) onPause(pausedMs);
  };
  const timer = setInterval(look, longestMs / 4);
  timer.unref();
  return {
    look,
    stop(): void {
      clearInterval(timer);
    },
  };
}

/** A loop that has not succeeded for so long is out of order, in milliseconds. */
const STUCK_AFTER_MS = 15_000;

export interface ProgressOptions {
  /** In milliseconds. */
  readonly stuckAfterMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** `name` is that of the loop, as a subject. Its start counts as progress. */
export function createProgress(name: string, options: ProgressOptions = {}) {
  const { stuckAfterMs = STUCK_AFTER_MS, now = () => performance.now() } = options;
  let madeAtMs = now();
  return {
    /** A round of it has succeeded. */
    made(): void {
      madeAtMs = now();
    },
    /** Rejects when that is long ago. */
    check(): Promise<void> {
      const sinceMs = now() - madeAtMs;
      return sinceMs < stuckAfterMs
        ? Promise.resolve()
        : Promise.reject(new Error(`${name} has not succeeded for ${Math.round(sinceMs / 1_000)} s.`));
    },
  };
}
