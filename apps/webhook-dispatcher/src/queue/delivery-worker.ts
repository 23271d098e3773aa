import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, repeat } from '@blog-content/service-runtime';
import type { BodyBudget } from '../attempt/body-budget.ts';
import type { ClaimedDelivery, HeldDelivery } from '../attempt/claimed-delivery.ts';
import type { ClaimOptions, ServedEvent, Taken } from './claim-store.ts';
import { createLanes, type Room, type TenantRoom } from '../concurrency/lanes.ts';
import { createProgress } from '../concurrency/progress.ts';
import { createAlarm } from '../concurrency/wake-signal.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { giveBack } from '../attempt/give-back.ts';
import type { Lease } from '../concurrency/lease.ts';
import { lull } from '../concurrency/wait-until-quiet.ts';
import { watchPauses } from '../attempt/pause-watch.ts';
import { PLACES_OF_A_SILENT_RECEIVER, type SilentReceivers } from '../attempt/silent-receivers.ts';

/** Workers look for what is due at least so often, woken or not, in milliseconds. */
export const POLL_INTERVAL_MS = 1_000;

/** A claim of so many deliveries was not the last. */
const BUSY = 16;
/** How long the next one then waits at most: what may be claimed in a moment costs no statement of its own. */
const LINGER_MS = 20;

/** The deliveries of more events than that are not looked for by themselves: there would hardly be room for them. */
const MOST_SERVED_AT_ONCE = 8;
/** The word is noted after so long, in milliseconds, whatever has become of its claim. */
const SERVE_PATIENCE_MS = 250;

export interface WorkerOptions {
  readonly store: Pick<DeliveryStore, 'claim' | 'claimServed' | 'renew' | 'giveUp' | 'release'>;
  /** Makes one attempt, or gives the delivery back; see `deliver`. */
  readonly deliver: (claimed: ClaimedDelivery, lease: Lease) => Promise<void>;
  /** Ends a delivery that can never be sent. */
  readonly endUnsendable: (held: HeldDelivery, detail: string, lease: Lease) => Promise<void>;
  /** Receivers that get no more than {@link PLACES_OF_A_SILENT_RECEIVER}. */
  readonly silent: Pick<SilentReceivers, 'ids'>;
  /** Projects whose bodies find no room get no more than fits. */
  readonly budget: Pick<BodyBudget, 'rooms'>;
  /** Most attempts at once that are not slow; see `lanes.ts`. */
  readonly concurrency: number;
  /** Most of them of one project. */
  readonly perProject: number;
  /** Most attempts at once to one receiver, slow or not. */
  readonly perIntegration: number;
  /** When an attempt counts as slow, in milliseconds; left to the lanes when left out. */
  readonly slowAfterMs?: number;
  /** How long no claim may have succeeded, in milliseconds; see `progress.ts`. */
  readonly stuckAfterMs?: number;
  readonly leaseMs: number;
  /** Longest sleep without being woken, in milliseconds. */
  readonly pollIntervalMs: number;
  readonly logger: Logger;
}

/** Claims what is due and delivers it. */
export interface Worker {
  /** Something may be due: look at once. */
  readonly wake: () => void;
  /**
   * The read service's word has come for these events: claims and delivers what waits for that, as far as there is room and nothing
   * else is due. Never rejects, and keeps nobody waiting for long: what it has not taken, the word makes due.
   */
  serve(events: readonly ServedEvent[]): Promise<void>;
  /** Attempts under way, and how many of them are slow. */
  readonly inFlight: () => number;
  readonly slow: () => number;
  /** Rejects when no claim has succeeded for long, though there was room for one. */
  readonly checkProgress: () => Promise<void>;
  /** Claims nothing from now on; what is under way goes on. */
  readonly stopClaiming: () => void;
  /** Claims nothing more; lets attempts end for `graceMs`, then gives the others up. Resolves when all are recorded. */
  stop(graceMs: number): Promise<void>;
}

interface Flight {
  /** Not all of what was claimed: its event is in memory no longer than the attempt needs it. */
  readonly of: Pick<HeldDelivery, 'id' | 'leaseToken' | 'integrationId'>;
  /** Of all that its claim took: they have one lease. */
  readonly abort: AbortController;
  /** By the monotonic clock, from before the database set the lease: it certainly lasts until then. */
  heldUntilMs: number;
  done: Promise<void>;
}

/**
 * Starts the loop: claim, fly, sleep until woken, or until the next delivery is due. Leases of attempts under way are
 * renewed three times a lease; an attempt whose lease turns out to be lost is given up, because somebody else has
 * decided about it.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { store, deliver, endUnsendable, silent, budget, perIntegration, leaseMs, pollIntervalMs, logger } = options;
  const lanes = createLanes({ ...options, perTenant: options.perProject });
  const progress = createProgress('The claim loop', options);
  const flights = new Set<Flight>();
  /** Tokens of the leases to give up once nothing of them flies any more. */
  const leases = new Set<string>();
  const alarm = createAlarm();
  let isStopping = false;
  let lastClaim: Promise<unknown> = Promise.resolve();
  /** Whether the last claim may have left something due behind. */
  let isBehind = false;

  // Somebody else may have taken over what this process held while it stood still.
  const pauses = watchPauses(leaseMs / 2, (pausedMs) => {
    logger.warn('delivery.paused', { paused_ms: Math.round(pausedMs), aborted: flights.size });
    for (const flight of flights) flight.abort.abort();
  });

  const launch = <Held extends HeldDelivery>(
    claimed: Held,
    fly: (claimed: Held, lease: Lease) => Promise<void>,
    { abort, heldUntilMs }: Pick<Flight, 'abort' | 'heldUntilMs'>,
  ) => {
    const { id, attempt, leaseToken, integrationId } = claimed;
    const flight: Flight = { of: { id, leaseToken, integrationId }, abort, heldUntilMs, done: Promise.resolve() };
    flights.add(flight);
    leases.add(leaseToken);
    const leave = lanes.enter(claimed.projectId);
    const isHeld = () => {
      pauses.look();
      return !abort.signal.aborted && performance.now() < flight.heldUntilMs;
    };
    const lease = { isHeld, interrupted: abort.signal };
    flight.done = fly(claimed, lease)
      .catch((error: unknown) => {
        // What is not recorded is still in flight for all others: its lease is to run out.
        leases.delete(leaseToken);
        logger.error('delivery.not_recorded', { delivery_id: id, attempt, error });
      })
      .finally(() => {
        leave();
        flights.delete(flight);
        alarm.ring();
      });
  };

  const launchAll = ({ deliveries, unsendable, unread }: Taken, of: Pick<Flight, 'abort' | 'heldUntilMs'>) => {
    for (const delivery of deliveries) launch(delivery, deliver, of);
    for (const { held, detail } of unsendable) launch(held, (_, lease) => endUnsendable(held, detail, lease), of);
    for (const held of unread) launch(held, (_, lease) => giveBack(held, lease, store), of);
    if (unread.length > 0) logger.warn('delivery.given_back', { deliveries: unread.length });
  };

  /** The room that is left at the receivers of which something is known. */
  const roomAtReceivers = (flying: readonly Flight[]): ReadonlyMap<string, number> => {
    const counts = countBy(flying.map((flight) => flight.of.integrationId));
    const room = new Map([...counts].map(([id, count]) => [id, Math.max(0, perIntegration - count)]));
    for (const id of silent.ids()) room.set(id, Math.max(0, PLACES_OF_A_SILENT_RECEIVER - (counts.get(id) ?? 0)));
    return room;
  };

  /** What projects have in flight, and the room that is left to them. */
  const roomOfProjects = ({ perTenant, tenants }: Room): ReadonlyMap<string, TenantRoom> => {
    const projects = new Map(tenants);
    for (const [projectId, fitting] of budget.rooms()) {
      const { inFlight, room } = tenants.get(projectId) ?? { inFlight: 0, room: perTenant };
      projects.set(projectId, { inFlight, room: Math.min(room, fitting) });
    }
    return projects;
  };

  /** Claims what there is room for and launches it. One at a time: each counts what those before it have launched. */
  const claimBy = <Claimed extends Taken>(
    claim: (options: ClaimOptions) => Promise<Claimed>,
  ): Promise<Claimed | null> => {
    const claimed = lastClaim.then(async () => {
      const room = lanes.room();
      const { inAll: limit, perTenant: perProject } = room;
      if (limit === 0 || isStopping) return null;
      const askedMs = performance.now();
      const flying = [...flights];
      const integrations = roomAtReceivers(flying);
      const projects = roomOfProjects(room);
      // What this process holds no longer may be due again: its attempt may hang on a connection that nobody answers.
      const held = flying.filter(({ heldUntilMs }) => askedMs < heldUntilMs).map((flight) => flight.of.id);
      const result = await claim({ limit, perIntegration, integrations, perProject, projects, held, leaseMs });
      launchAll(result, { abort: new AbortController(), heldUntilMs: askedMs + leaseMs });
      return result;
    });
    // Not what came of it: the events of all that it took would be in memory until the next one.
    lastClaim = claimed.then(
      () => undefined,
      () => undefined,
    );
    return claimed;
  };

  /** Resolves to how long nothing more is due, in milliseconds, and how much was. */
  const claim = async (): Promise<{ sleepMs: number; claimed: number }> => {
    const result = await claimBy((options) => store.claim(options));
    const longestMs = Math.min(pollIntervalMs, lanes.nextSlowInMs() ?? pollIntervalMs);
    if (result === null) {
      isBehind = true;
      return { sleepMs: longestMs, claimed: 0 };
    }
    const { deliveries, mayHaveMore, nextDueInMs } = result;
    isBehind = mayHaveMore || deliveries.length >= BUSY || lanes.room().inAll === 0;
    const sleepMs = mayHaveMore ? 0 : Math.min(longestMs, nextDueInMs ?? longestMs);
    return { sleepMs, claimed: deliveries.length };
  };

  const run = async () => {
    while (!isStopping) {
      let [sleepMs, claimed] = [pollIntervalMs, 0];
      try {
        ({ sleepMs, claimed } = await claim());
        progress.made();
      } catch (error) {
        logger.warn('delivery.claim_failed', { error });
      }
      await alarm.sleep(sleepMs);
      if (claimed >= BUSY && !isStopping) await lull(() => flights.size, LINGER_MS);
    }
  };

  const renew = async () => {
    const flying = Map.groupBy(flights, ({ of }) => of.leaseToken);
    const landed = [...leases].filter((token) => !flying.has(token));
    if (flying.size > 0) {
      const askedMs = performance.now();
      const renewed = await store.renew([...flying.keys()], leaseMs);
      for (const [token, ofLease] of flying) {
        for (const flight of ofLease) {
          if (renewed.has(token)) flight.heldUntilMs = askedMs + leaseMs;
          else flight.abort.abort();
        }
      }
    }
    if (landed.length > 0) await store.giveUp(landed);
    for (const token of landed) leases.delete(token);
  };

  const stopClaiming = () => {
    isStopping = true;
    alarm.ring();
  };

  const loop = run();
  const renewal = repeat('delivery.renewal', leaseMs / 3, renew, logger);

  return {
    wake: alarm.ring,
    async serve(events) {
      // Many are claimed with whatever else is due, and what is due already goes first.
      if (events.length > MOST_SERVED_AT_ONCE || isBehind) return;
      const claimed = claimBy((options) => store.claimServed(events, options));
      await withPatience(claimed, SERVE_PATIENCE_MS).catch((error: unknown) => {
        logger.warn('delivery.claim_failed', { error });
      });
    },
    inFlight: () => flights.size,
    slow: () => lanes.slow(),
    checkProgress: () => progress.check(),
    stopClaiming,
    async stop(graceMs) {
      stopClaiming();
      await loop;
      await lastClaim;
      const flying = Promise.all(Array.from(flights, (flight) => flight.done));
      const grace = setTimeout(() => {
        for (const flight of flights) flight.abort.abort();
      }, graceMs);
      await flying;
      clearTimeout(grace);
      await renewal.stop();
      pauses.stop();
    },
  };
}

/** Resolves when the work does, and after `ms` milliseconds at the latest. */
async function withPatience(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  const waited = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, waited]).finally(() => over.abort());
}

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
