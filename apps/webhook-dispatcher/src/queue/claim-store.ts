import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlogServedEvent, LifecycleEvent } from '@blog-content/payload-schemas';
import { binaryArray } from '@blog-content/postgres';
import type { QueuePool } from '../database/open-database.ts';
import type { TenantRoom } from '../concurrency/lanes.ts';
import {
  BEFORE_ALL,
  CLAIM,
  CLAIM_SERVED,
  type ClaimRow,
  FENCE_LOST_CLAIM,
  TAKEN_BY_LOST_CLAIM,
  type TakenRow,
} from './claim-statements.ts';
import type { ClaimedDelivery, HeldDelivery } from '../attempt/claimed-delivery.ts';
import type { EventCache, KnownEvent } from './event-cache.ts';

export interface ClaimOptions {
  /** Most deliveries to claim. */
  readonly limit: number;
  /** Most of them for one receiver, */
  readonly perIntegration: number;
  /** and for those of which something is known: the room that is left there. */
  readonly integrations: ReadonlyMap<string, number>;
  /** Most of them of one project, */
  readonly perProject: number;
  /** and of those that have something in flight: how much, and the room that is left. */
  readonly projects: ReadonlyMap<string, TenantRoom>;
  /** The deliveries that the caller certainly holds: none of them is there to be claimed, and none is looked at. */
  readonly held: readonly string[];
  readonly leaseMs: number;
}

interface EventRow {
  id: string;
  time: Date;
  traceparent: string | null;
  /** Null when it is for another claim to load. */
  data: LifecycleEvent | null;
}

/** What one claim loads of events, in bytes; the first is loaded whatever its size. */
export const MAX_LOADED_BYTES = 48 * 1024 * 1024;

/** `$1` ids of events, in order. Of those that are too much at once it gives no data. */
const LOAD_EVENTS = `
  SELECT e.id::text, e.time, e.traceparent, CASE WHEN e.bytes_before < ${MAX_LOADED_BYTES} THEN e.data END AS data
  FROM (
    SELECT l.*, sum(pg_column_size(l.data)) OVER (ORDER BY asked.place) - pg_column_size(l.data) AS bytes_before
    FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place)
    JOIN lifecycle_event l ON l.id = asked.id AND l.data IS NOT NULL
  ) e`;

/** Events are tried to be loaded again after so long, and so long in all: a process that is to end waits for it. */
const LOAD_AGAIN_MS = 100;
const LOAD_PATIENCE_MS = 5_000;

/** Gives what is due to whoever asks; see {@link DeliveryStore.claim}. */
export interface ClaimStore {
  claim(options: ClaimOptions): Promise<Claim>;
  claimServed(events: readonly ServedEvent[], options: ClaimOptions): Promise<Taken>;
}

/** The read service's word for an event. */
export type ServedEvent = Pick<BlogServedEvent, 'lifecycle_event_id' | 'blog_id'>;

/** What was taken, under one lease. */
export interface Taken {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Those that can never be sent, each judged alone, and why. */
  readonly unsendable: readonly { readonly held: HeldDelivery; readonly detail: string }[];
  /** Those whose event could not be loaded now, and those of a claim whose answer was lost: they are to be given back. */
  readonly unread: readonly HeldDelivery[];
}

/** What one look at the queue came to. */
export interface Claim extends Taken {
  /** Whether there may be more that is due and within the limits: other claimers took some, or not every receiver was looked at. */
  readonly mayHaveMore: boolean;
  /** Milliseconds until the next delivery becomes due; null when none is waiting for its time. */
  readonly nextDueInMs: number | null;
}

export function createClaimStore(pool: QueuePool, events: EventCache): ClaimStore {
  let lookBehind = BEFORE_ALL;
  // A round goes once over all receivers that have something due.
  let claimedInRound = 0;
  /** How far the blogs of receivers have been gone through where what cannot go yet hides the rest. */
  let walked: Record<string, string> = {};
  let walkedInRound: Record<string, string> = {};

  /** Tokens of claims whose answer did not come: what they have taken, nobody knows of. */
  const lost = new Set<string>();

  /** Runs a claim’s statement, after what was taken by those whose answers were lost is found; that is to be given back. */
  const take = async <Row extends TakenRow>(
    statement: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
    token: string,
    leaseMs: number,
  ): Promise<{ readonly row: Row | undefined; readonly unread: readonly HeldDelivery[] }> => {
    const unread: HeldDelivery[] = [];
    const settled = [...lost];
    for (const lostToken of settled) {
      await pool.query({ name: 'fence_lost_claim', text: FENCE_LOST_CLAIM, values: [lostToken, leaseMs] });
      const found = await pool.query<TakenRow>({
        name: 'taken_by_lost_claim',
        text: TAKEN_BY_LOST_CLAIM,
        values: [lostToken],
      });
      for (const { deliveries, began_at: beganAt } of found.rows) {
        unread.push(...(deliveries ?? []).map((one) => toHeld(one, lostToken, beganAt)));
      }
    }
    try {
      const { rows } = await pool.query<Row>({ ...statement, values: [...statement.values] });
      for (const known of settled) lost.delete(known);
      return { row: rows[0], unread };
    } catch (error) {
      lost.add(token);
      throw error;
    }
  };

  /** Events of deliveries that are held until then, by the monotonic clock: what is in flight is not given up for one lost connection. */
  const loadEvents = async (ids: readonly string[], heldUntilMs: number): Promise<EventRow[]> => {
    const untilMs = Math.min(heldUntilMs, performance.now() + LOAD_PATIENCE_MS);
    for (;;) {
      try {
        const { rows } = await pool.query<EventRow>({
          name: 'load_events',
          text: LOAD_EVENTS,
          values: [binaryArray('uuid', ids)],
        });
        return rows;
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
    const loaded = await loadEvents(missing, untilMs).catch(() => null);
    if (loaded === null) for (const id of missing) found.set(id, null);
    for (const { id, data, ...rest } of loaded ?? []) {
      const event = data && { ...rest, data };
      found.set(id, event);
      if (event !== null) events.keep(id, event);
    }
    return found;
  };

  const toTaken = async (
    row: TakenRow,
    lease: { readonly token: string; readonly untilMs: number },
  ): Promise<Taken> => {
    const taken = row.deliveries ?? [];
    const lifecycleEvents = await eventsOf(new Set(taken.map(([, , , , eventId]) => eventId)), lease.untilMs);
    const deliveries: ClaimedDelivery[] = [];
    const unsendable: { held: HeldDelivery; detail: string }[] = [];
    const unread: HeldDelivery[] = [];
    for (const one of taken) {
      const held = toHeld(one, lease.token, row.began_at);
      const [askedAt, receiverHasBlog] = [one[10], one[11]];
      const known = lifecycleEvents.get(held.lifecycleEventId);
      const target = row.targets?.[held.integrationId];
      if (known === null) unread.push(held);
      else if (known === undefined || target === undefined) {
        const what = known === undefined ? 'event' : 'receiver';
        unsendable.push({ held, detail: `The delivery’s ${what} is not in the database any more.` });
      } else {
        const [sealedUrl, sealedSecret, sealedHeaders] = target;
        deliveries.push({
          ...held,
          traceparent: known.traceparent,
          lifecycleEvent: known.data,
          eventTime: askedAt === null ? known.time : new Date(askedAt),
          receiverHasBlog,
          sealedUrl,
          sealedSecret,
          sealedHeaders,
        });
      }
    }
    return { deliveries, unsendable, unread };
  };

  /** `$3` to `$10`. */
  const valuesOf = (options: ClaimOptions, token: string) => {
    const { limit, perIntegration, integrations, perProject, projects, leaseMs } = options;
    return [
      JSON.stringify(Object.fromEntries(integrations)),
      perIntegration,
      JSON.stringify(Object.fromEntries([...projects].map(([id, { room }]) => [id, room]))),
      perProject,
      JSON.stringify(Object.fromEntries([...projects].map(([id, { inFlight }]) => [id, inFlight]))),
      limit,
      leaseMs,
      token,
    ];
  };

  return {
    async claim(options) {
      const lease = { token: randomUUID(), untilMs: performance.now() + options.leaseMs };
      const values = [
        lookBehind,
        binaryArray('uuid', options.held),
        ...valuesOf(options, lease.token),
        JSON.stringify(walked),
      ];
      const { row, unread } = await take<ClaimRow>(
        { name: 'claim', text: CLAIM, values },
        lease.token,
        options.leaseMs,
      );
      if (row === undefined) throw new Error('A claim gave no row.');
      const { last, is_last_of_round: isLastOfRound, chosen, was_cut: wasCut, next_due_ms: nextDueInMs } = row;
      const claimed = row.deliveries?.length ?? 0;
      const isFirstOfRound = lookBehind === BEFORE_ALL;
      lookBehind = isLastOfRound ? BEFORE_ALL : (last ?? BEFORE_ALL);
      claimedInRound = (isFirstOfRound ? 0 : claimedInRound) + claimed;
      const blogsLeft = Object.entries(row.walked ?? {}).flatMap(([id, blogId]) =>
        blogId === null ? [] : [[id, blogId]],
      );
      Object.assign(walkedInRound, Object.fromEntries(blogsLeft));
      if (isLastOfRound) [walked, walkedInRound] = [walkedInRound, {}];
      // After a round of several claims that gave nothing, all that is due is in flight or held back: the end of it rings.
      const mayHaveMore =
        !isLastOfRound || (!isFirstOfRound && claimedInRound > 0) || claimed < chosen || wasCut || blogsLeft.length > 0;
      return { ...withUnread(await toTaken(row, lease), unread), mayHaveMore, nextDueInMs };
    },

    async claimServed(served, options) {
      const lease = { token: randomUUID(), untilMs: performance.now() + options.leaseMs };
      const values = [
        binaryArray(
          'uuid',
          served.map((event) => event.lifecycle_event_id),
        ),
        binaryArray(
          'uuid',
          served.map((event) => event.blog_id),
        ),
        ...valuesOf(options, lease.token),
      ];
      const statement = { name: 'claim_served', text: CLAIM_SERVED, values };
      const { row, unread } = await take<TakenRow>(statement, lease.token, options.leaseMs);
      return withUnread(row === undefined ? NOTHING : await toTaken(row, lease), unread);
    },
  };
}

const NOTHING: Taken = { deliveries: [], unsendable: [], unread: [] };

function withUnread(taken: Taken, more: readonly HeldDelivery[]): Taken {
  return more.length === 0 ? taken : { ...taken, unread: [...taken.unread, ...more] };
}

function toHeld(one: NonNullable<TakenRow['deliveries']>[number], leaseToken: string, beganAt: Date): HeldDelivery {
  const [id, kind, attempt, trigger, lifecycleEventId, integrationId, projectId, blogId, publishId, event] = one;
  return {
    id,
    kind,
    leaseToken,
    attempt,
    trigger,
    lifecycleEventId,
    integrationId,
    projectId,
    blogId,
    publishId,
    event,
    beganAt,
    traceparent: null,
  };
}
