import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, repeat } from '@blog-content/service-runtime';
import type { Lease } from './deliver.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import type { ClaimOptions, ServedEvent } from './claim-store.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { lull } from './lull.ts';

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
  readonly store: Pick<DeliveryStore, 'claim' | 'claimServed' | 'renew' | 'giveUp'>;
  /** Makes one attempt; see `deliver`. */
  readonly deliver: (claimed: ClaimedDelivery, lease: Lease) => Promise<void>;
  /** Most attempts at once. */
  readonly concurrency: number;
  /** Most attempts at once to one receiver. */
  readonly perIntegration: number;
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
  /** Attempts under way. */
  readonly inFlight: () => number;
  /** Claims nothing from now on; what is under way goes on. */
  readonly stopClaiming: () => void;
  /** Claims nothing more; lets attempts end for `graceMs`, then gives the others up. Resolves when all are recorded. */
  stop(graceMs: number): Promise<void>;
}

interface Flight {
  readonly claimed: ClaimedDelivery;
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
  const { store, deliver, concurrency, perIntegration, leaseMs, pollIntervalMs, logger } = options;
  const flights = new Map<string, Flight>();
  /** Tokens of the leases to give up once nothing of them flies any more. */
  const leases = new Set<string>();
  const alarm = createAlarm();
  let isStopping = false;
  let lastClaim: Promise<unknown> = Promise.resolve();
  /** Whether the last claim may have left something due behind. */
  let isBehind = false;

  const launch = (claimed: ClaimedDelivery, abort: AbortController, heldUntilMs: number) => {
    const flight: Flight = { claimed, abort, heldUntilMs, done: Promise.resolve() };
    flights.set(claimed.id, flight);
    leases.add(claimed.leaseToken);
    const lease = { isHeld: () => performance.now() < flight.heldUntilMs, interrupted: abort.signal };
    flight.done = deliver(claimed, lease)
      .catch((error: unknown) => {
        // What is not recorded is still in flight for all others: its lease is to run out.
        leases.delete(claimed.leaseToken);
        logger.error('delivery.not_recorded', { delivery_id: claimed.id, attempt: claimed.attempt, error });
      })
      .finally(() => {
        // One whose lease had run out may fly again already.
        if (flights.get(claimed.id) === flight) flights.delete(claimed.id);
        alarm.ring();
      });
  };

  /** Claims what there is room for and launches it. One at a time: each counts what those before it have launched. */
  const claimBy = <Claimed extends { readonly deliveries: readonly ClaimedDelivery[] }>(
    claim: (options: ClaimOptions) => Promise<Claimed>,
  ): Promise<Claimed | null> => {
    const claimed = lastClaim.then(async () => {
      const limit = concurrency - flights.size;
      if (limit <= 0 || isStopping) return null;
      const askedMs = performance.now();
      const flying = [...flights.values()];
      const inFlight = countBy(flying.map((flight) => flight.claimed.integrationId));
      // What this process holds no longer may be due again: its attempt may hang on a connection that nobody answers.
      const held = flying.filter(({ heldUntilMs }) => askedMs < heldUntilMs).map((flight) => flight.claimed.id);
      const result = await claim({ limit, perIntegration, inFlight, held, leaseMs });
      const abort = new AbortController();
      for (const delivery of result.deliveries) launch(delivery, abort, askedMs + leaseMs);
      return result;
    });
    lastClaim = claimed.catch(() => undefined);
    return claimed;
  };

  /** Resolves to how long nothing more is due, in milliseconds, and how much was. */
  const claim = async (): Promise<{ sleepMs: number; claimed: number }> => {
    const result = await claimBy((options) => store.claim(options));
    if (result === null) {
      isBehind = true;
      return { sleepMs: pollIntervalMs, claimed: 0 };
    }
    const { deliveries, mayHaveMore, nextDueInMs } = result;
    isBehind = mayHaveMore || deliveries.length >= BUSY || flights.size >= concurrency;
    const sleepMs = mayHaveMore ? 0 : Math.min(pollIntervalMs, nextDueInMs ?? pollIntervalMs);
    return { sleepMs, claimed: deliveries.length };
  };

  const run = async () => {
    while (!isStopping) {
      let [sleepMs, claimed] = [pollIntervalMs, 0];
      try {
        ({ sleepMs, claimed } = await claim());
      } catch (error) {
        logger.warn('delivery.claim_failed', { error });
      }
      await alarm.sleep(sleepMs);
      if (claimed >= BUSY && !isStopping) await lull(() => flights.size, LINGER_MS);
    }
  };

  const renew = async () => {
    const flying = Map.groupBy(flights.values(), ({ claimed }) => claimed.leaseToken);
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
      const claimed = claimBy(async (options) => ({ deliveries: await store.claimServed(events, options) }));
      await withPatience(claimed, SERVE_PATIENCE_MS).catch((error: unknown) => {
        logger.warn('delivery.claim_failed', { error });
      });
    },
    inFlight: () => flights.size,
    stopClaiming,
    async stop(graceMs) {
      stopClaiming();
      await loop;
      await lastClaim;
      const flying = Promise.all([...flights.values()].map((flight) => flight.done));
      const grace = setTimeout(() => {
        for (const flight of flights.values()) flight.abort.abort();
      }, graceMs);
      await flying;
      clearTimeout(grace);
      await renewal.stop();
    },
  };
}

/** Resolves when the work does, and after `ms` milliseconds at the latest. */
async function withPatience(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  const waited = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, waited]).finally(() => over.abort());
}

/** A sleep that can be cut short; a ring before the sleep makes it end at once. */
function createAlarm(): { ring: () => void; sleep: (ms: number) => Promise<void> } {
  let hasRung = false;
  let wakeUp: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wakeUp?.();
    },
    async sleep(ms: number) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wakeUp = undefined;
      hasRung = false;
    },
  };
}

function countBy(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
