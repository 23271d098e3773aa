import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { binaryArray } from '@blog-content/postgres';
import {
  type ClaimedDelivery,
  type LeasedDelivery,
  BEFORE_ALL,
  claim,
  type ClaimedRow,
  type ClaimRow,
  type DeliveryOfClaim,
  type EventRow,
  fenceLostClaim,
  findLostClaim,
  loadEvents,
} from './claim-statements.ts';
import type { TenantSlots } from '../concurrency/slots.ts';
import type { Parameters } from '../database/statement.ts';
import type { Database, QueuePool } from '../database/open-database.ts';
import type { EventCache, KnownEvent } from '../payload/event-cache.ts';

export interface ClaimOptions {
  /** Most deliveries to claim. */
  readonly limit: number;
  /** Most of them for one receiver. */
  readonly perIntegration: number;
  /** The free slots of receivers that have running attempts. */
  readonly integrations: ReadonlyMap<string, number>;
  /** Most of them of one project. */
  readonly perProject: number;
  /** How many attempts projects have running, and their free slots. */
  readonly projects: ReadonlyMap<string, TenantSlots>;
  /** The deliveries that the caller certainly holds: none of them is there to be claimed, and none is looked at. */
  readonly held: readonly string[];
  readonly leaseMs: number;
}

/** Events are loaded again after so long, and for so long in all: a process that is to end waits for it. */
const LOAD_AGAIN_MS = 100;
const MAX_LOADING_MS = 5_000;

/** What was claimed under one lease. */
export interface ClaimedBatch {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Those that can never be sent, each judged alone, and why. */
  readonly unsendable: readonly { readonly held: LeasedDelivery; readonly detail: string }[];
  /** Those whose event could not be loaded now, and those of a claim whose answer was lost: they are to be released. */
  readonly toRelease: readonly LeasedDelivery[];
}

/** The result of one claim. */
export interface Claim extends ClaimedBatch {
  /**
   * Whether there may be more that is due and within the limits: other claimers took some, or not every receiver was
   * looked at.
   */
  readonly mayHaveMore: boolean;
  /** Whether something due was left that may go once a delivery of the caller has ended. */
  readonly leavesSome: boolean;
  /** Milliseconds until the next delivery becomes due; null when none is waiting for its time. */
  readonly nextDueInMs: number | null;
}

/** Claims what is due, and keeps its leases. */
export function createClaimStore(database: Database, pool: QueuePool, events: EventCache) {
  const round = createClaimRound();

  /** Tokens of claims whose answer did not come: nobody knows what they have taken. */
  const lost = new Set<string>();

  /** What lost claims have taken: it is to be released. */
  const findLost = async (tokens: readonly string[], leaseMs: number): Promise<LeasedDelivery[]> => {
    const found: LeasedDelivery[] = [];
    for (const token of tokens) {
      await fenceLostClaim.run(pool, { token, leaseMs });
      const taken = (await findLostClaim.run(pool, { token })).flatMap((row) => leasedOf(row, token));
      if (taken.length === 0) lost.delete(token);
      found.push(...taken);
    }
    return found;
  };

  /** Events of deliveries that are held until then, by the monotonic clock: one lost connection ends no attempt. */
  const load = async (ids: readonly string[], heldUntilMs: number): Promise<EventRow[]> => {
    const untilMs = Math.min(heldUntilMs, performance.now() + MAX_LOADING_MS);
    for (;;) {
      try {
        return await loadEvents.run(pool, { ids: binaryArray('uuid', ids) });
      } catch (error) {
        if (performance.now() + LOAD_AGAIN_MS > untilMs) throw error;
        await sleep(LOAD_AGAIN_MS);
      }
    }
  };

  /** Those that are there, null for one that was not loaded now. */
  const eventsOf = async (
    ids: ReadonlySet<string>,
    untilMs: number,
  ): Promise<ReadonlyMap<string, KnownEvent | null>> => {
    const found = new Map<string, KnownEvent | null>();
    const missing: string[] = [];
    for (const id of ids) {
      const known = events.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    if (missing.length === 0) return found;
    // Planned by another replica, or long ago.
    const loaded = await load(missing, untilMs).catch(() => null);
    if (loaded === null) for (const id of missing) found.set(id, null);
    for (const { id, data, ...rest } of loaded ?? []) {
      const event = data && { ...rest, data };
      found.set(id, event);
      if (event !== null) events.keep(id, event);
    }
    return found;
  };

  const toBatch = async (row: ClaimedRow, token: string, heldUntilMs: number): Promise<ClaimedBatch> => {
    const claimed = row.deliveries ?? [];
    if (claimed.length === 0) return NOTHING;
    const eventIds = new Set(claimed.map(({ lifecycleEventId }) => lifecycleEventId));
    const lifecycleEvents = await eventsOf(eventIds, heldUntilMs);
    const deliveries: ClaimedDelivery[] = [];
    const unsendable: { held: LeasedDelivery; detail: string }[] = [];
    const toRelease: LeasedDelivery[] = [];
    for (const delivery of claimed) {
      const held = toLeased(delivery, token, row.began_at);
      const event = lifecycleEvents.get(delivery.lifecycleEventId);
      const target = row.targets?.[delivery.integrationId];
      if (event === null) toRelease.push(held);
      else if (event === undefined || target === undefined) {
        const missing = event === undefined ? 'event' : 'receiver';
        unsendable.push({ held, detail: `The delivery’s ${missing} is missing from the database.` });
      } else {
        deliveries.push({
          ...held,
          ...target,
          traceparent: event.traceparent,
          lifecycleEvent: event.data,
          eventTime: delivery.askedAt === null ? event.time : new Date(delivery.askedAt),
          receiverHasBlog: delivery.receiverHasBlog,
          receiverSlug: delivery.receiverSlug,
        });
      }
    }
    return { deliveries, unsendable, toRelease };
  };

  return {
    /**
     * Claims what is due: of each blog and receiver only the oldest delivery that has not ended, so that none is
     * reordered; receiver by receiver, so that a long queue of one does not delay the others; projects in turns, those
     * with the fewest running attempts first, so that neither do many receivers of one. No two claimers get the same
     * one, and nobody gets one whose integration is deleted.
     */
    async claim(options: ClaimOptions): Promise<Claim> {
      const token = randomUUID();
      const heldUntilMs = performance.now() + options.leaseMs;
      const settled = [...lost];
      const toRelease = await findLost(settled, options.leaseMs);
      const parameters = { ...parametersOf(options), ...round.parameters(), token };
      const [row] = await claim.run(pool, parameters).catch((error: unknown) => {
        lost.add(token);
        throw error;
      });
      for (const known of settled) lost.delete(known);
      if (row === undefined) throw new Error('The claim returned no row.');
      const batch = withLost(await toBatch(row, token, heldUntilMs), toRelease);
      return { ...batch, mayHaveMore: round.note(row), leavesSome: row.leaves_some, nextDueInMs: row.next_due_ms };
    },

    /** Renews leases; returns those that are still held. */
    async renew(tokens: readonly string[], leaseMs: number): Promise<ReadonlySet<string>> {
      const rows = await database.$queryRaw<{ token: string }[]>`
        UPDATE lease SET until = now() + ${leaseMs} * interval '1 millisecond'
        WHERE token = ANY (${[...tokens]}::uuid[]) RETURNING token`;
      return new Set(rows.map(({ token }) => token));
    },

    /** Deletes leases under which nothing runs any more. */
    async deleteLeases(tokens: readonly string[]): Promise<void> {
      await database.$executeRaw`DELETE FROM lease WHERE token = ANY (${[...tokens]}::uuid[])`;
    },
  };
}

/** The way of claims through all receivers that have something due, again and again: a round goes over each once. */
function createClaimRound() {
  let lookBehind = BEFORE_ALL;
  let claimedInRound = 0;
  /** How far the blogs of receivers have been gone through where what cannot go yet hides the rest. */
  let walked: Record<string, string> = {};
  let walkedInRound: Record<string, string> = {};
  return {
    /** Where the next claim goes on. */
    parameters: () => ({ lookBehind, walked: JSON.stringify(walked) }),

    /** Notes how far a claim went. Answers whether there may be more that it would have taken. */
    note(row: ClaimRow): boolean {
      const claimed = row.deliveries?.length ?? 0;
      const isFirstOfRound = lookBehind === BEFORE_ALL;
      const isLastOfRound = row.is_last_of_round;
      lookBehind = isLastOfRound ? BEFORE_ALL : (row.last ?? BEFORE_ALL);
      claimedInRound = (isFirstOfRound ? 0 : claimedInRound) + claimed;
      Object.assign(walkedInRound, row.walked);
      if (isLastOfRound) [walked, walkedInRound] = [walkedInRound, {}];
      // After a round of several claims that gave nothing, all that is due is running or held back: when that settles,
      // the worker is woken.
      const roundGaveSome = !isFirstOfRound && claimedInRound > 0;
      return !isLastOfRound || roundGaveSome || claimed < row.chosen || row.was_cut || row.walked !== null;
    },
  };
}

const NOTHING: ClaimedBatch = { deliveries: [], unsendable: [], toRelease: [] };

function withLost(batch: ClaimedBatch, more: readonly LeasedDelivery[]): ClaimedBatch {
  return more.length === 0 ? batch : { ...batch, toRelease: [...batch.toRelease, ...more] };
}

/** The limits, as a claim takes them. */
function parametersOf(options: ClaimOptions): Parameters {
  const { limit, perIntegration, integrations, perProject, projects, held, leaseMs } = options;
  const ofProjects = (value: (project: TenantSlots) => number) =>
    JSON.stringify(Object.fromEntries([...projects].map(([id, project]) => [id, value(project)])));
  return {
    slotsAtReceivers: JSON.stringify(Object.fromEntries(integrations)),
    slotsPerReceiver: perIntegration,
    slotsOfProjects: ofProjects(({ free }) => free),
    slotsPerProject: perProject,
    runningOfProjects: ofProjects(({ running }) => running),
    held: binaryArray('uuid', held),
    limit,
    leaseMs,
  };
}

function leasedOf({ deliveries, began_at: beganAt }: ClaimedRow, leaseToken: string): LeasedDelivery[] {
  return (deliveries ?? []).map((one) => toLeased(one, leaseToken, beganAt));
}

function toLeased(
  { askedAt: _at, receiverHasBlog: _has, receiverSlug: _slug, ...delivery }: DeliveryOfClaim,
  leaseToken: string,
  beganAt: Date,
) {
  return { ...delivery, leaseToken, beganAt, traceparent: null } satisfies LeasedDelivery;
}
