import type { ClaimedDelivery } from '../src/queue/claim-statements.ts';
import type { AttemptRecord } from '../src/queue/result-statements.ts';
import type { ClaimOptions } from '../src/queue/claim-store.ts';
import type { Verdict } from '../src/http/judge.ts';
import type { TenantSlots } from '../src/concurrency/slots.ts';
import type { TestQueue } from './queue.ts';

export interface LeaseRow {
  readonly token: string;
  readonly began_at: Date;
  readonly until: Date;
  readonly delivery_ids: readonly string[];
}

type Claiming = Partial<Parameters<TestQueue['deliveries']['claim']>[0]>;

export const SUCCEEDED: Verdict = { kind: 'succeeded' };
export const FAILED = {
  kind: 'failed',
  reason: 'status',
  detail: 'The receiver answered 500.',
} as const satisfies Verdict;
export const retryIn = (afterMs: number): Verdict => ({
  kind: 'retry',
  afterMs,
  reason: 'timeout',
  detail: 'No answer.',
});

/** A claim of all that is due, by a process with nothing in flight. */
export const UNLIMITED = {
  limit: 100,
  perIntegration: 100,
  integrations: new Map<string, number>(),
  perProject: 100,
  projects: new Map<string, TenantSlots>(),
  held: [] as readonly string[],
  leaseMs: 10_000,
} satisfies ClaimOptions;

/** Plans, claims and records on a queue without sending anything. `queueOf` gives it once it is open. */
export function attemptsOn(queueOf: () => TestQueue) {
  const look = (options: Claiming = {}) =>
    queueOf().deliveries.claim({
      ...UNLIMITED,
      ...options,
    });
  const claim = async (options: Claiming = {}) => (await look(options)).deliveries;
  return {
    look,
    plan: (...events: Parameters<TestQueue['plans']['plan']>[0]) => queueOf().plans.plan(events, { servedWaitMs: 0 }),
    claim,
    claimOne: async (options?: Claiming): Promise<ClaimedDelivery> => {
      const [claimed] = await claim(options);
      if (claimed === undefined) throw new Error('nothing was claimed');
      return claimed;
    },
    record: (claimed: ClaimedDelivery, verdict: Verdict, changes: Partial<AttemptRecord> = {}) =>
      queueOf().deliveries.record(claimed, {
        verdict,
        event: claimed.lifecycleEvent.event,
        endedAt: new Date(),
        statusCode: verdict.kind === 'succeeded' ? 200 : 500,
        liveUrl: null,
        externalId: null,
        leavesSlug: 'revision' in claimed.lifecycleEvent ? claimed.lifecycleEvent.revision.slug : null,
        exchange: null,
        ...changes,
      }),
    statuses: async () =>
      (await queueOf().query<{ status: string }>('SELECT status FROM delivery ORDER BY position')).map(
        ({ status }) => status,
      ),
    /** The outcome events of this name, in order. */
    outcomeEvents: async (name: 'delivery.retry_planned' | 'delivery.finished') =>
      (await queueOf().outbox()).filter(({ event }) => event === name),
    /** What is held, oldest first. */
    leases: () =>
      queueOf().query<LeaseRow>('SELECT token, began_at, until, delivery_ids FROM lease ORDER BY began_at, token'),
    expireLeases: () => queueOf().query(`UPDATE lease SET until = now() - interval '1 s'`),
    reclaim: async () => (await queueOf().deliveries.reclaimExpired(10_000)).deliveries,
    /** Nothing waits for its time any more. */
    makeAllDue: () => queueOf().query(`UPDATE delivery_queue SET due_at = now() - interval '1 ms'`),
  };
}
