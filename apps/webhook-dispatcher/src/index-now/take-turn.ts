import { type Backoff, backoffMs } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';
import type { RetryPolicy } from '../http/judge.ts';
import type { Lease } from '../concurrency/lease-runner.ts';
import { type Outcome, statusOf, type OutgoingRequest } from '../http/exchange.ts';
import { judgeKeyFile } from './check-key-file.ts';
import { judgeLook } from './judge-look.ts';
import { judgePing, type PingVerdict, restAfter } from './judge-ping.ts';
import { lookAtPage } from './look-at-page.ts';
import { pingRequest } from './ping-request.ts';
import { addressOf, keyFileUrl, liveOnSite } from './site-address.ts';
import type { AddressToLookAt, ClaimedTurn, LookRecord, PlacedAddress, TurnOfSite, TurnStore } from './turn-store.ts';

/** Most pages of a project that are looked at in one turn. */
const MAX_LOOKS_A_TURN = 20;
/** Most of them that are looked at at once. */
const LOOKS_AT_ONCE = 4;
/** How long after the first try a missing key file is looked for again, in milliseconds. */
const KEY_FIRST_RETRY_MS = 60_000;
/** How long after any later try it is looked for again at most, in milliseconds. */
const KEY_MAX_RETRY_MS = 900_000;
export const KEY_BACKOFF: Backoff = { firstMs: KEY_FIRST_RETRY_MS, maxMs: KEY_MAX_RETRY_MS };

/** While IndexNow has asked this process to leave it alone. */
export interface PingRest {
  /** In milliseconds; 0 when it has not. */
  leftMs(): number;
  takeAtLeast(ms: number): void;
}

export interface TurnDependencies {
  readonly store: Omit<TurnStore, 'claim' | 'renew' | 'countWaiting'>;
  /** Requests a page or a file of a site. */
  readonly get: (url: string, interrupted: AbortSignal) => Promise<Outcome>;
  readonly send: (request: OutgoingRequest, interrupted: AbortSignal) => Promise<Outcome>;
  readonly rest: PingRest;
  /** How long to rest after a 429 that does not say so, in milliseconds. */
  readonly restMs: number;
  readonly keyBackoff: Backoff;
  readonly lookDelaysMs: readonly number[];
  readonly quietMs: number;
  readonly pingsPerHour: number;
  readonly endpoint: string;
  readonly userAgent: string;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly now: () => Date;
  readonly pinged: (verdict: PingVerdict['kind']) => void;
  readonly logger: Logger;
}

/**
 * A project's turn: makes sure that the key file is at the site, looks at a few of the pages that are to change, then
 * pings those that have, and gives the lease back. It may be done again, whole or in part: whatever it had not recorded
 * is still there. Throws when something could not be recorded; the lease then runs out, and another turn does it.
 */
export async function takeTurn(claimed: ClaimedTurn, lease: Lease, dependencies: TurnDependencies): Promise<void> {
  const { siteUrl } = claimed;
  if (siteUrl === null) {
    await dependencies.store.giveUp(claimed, 'The project has no site URL.');
  } else {
    const turn = { ...claimed, siteUrl };
    await dependencies.store.beginAt(turn);
    if (turn.hasKey || (await findKey(turn, lease, dependencies))) {
      await lookAtSite(turn, lease, dependencies);
      await ping(turn, lease, dependencies);
    }
  }
  await dependencies.store.release(claimed);
}

/** Nobody is looked at or pinged before this has found the key file: it shows that the site takes part. */
async function findKey(turn: TurnOfSite, lease: Lease, dependencies: TurnDependencies): Promise<boolean> {
  const { store, get, keyBackoff } = dependencies;
  const url = keyFileUrl(turn.siteUrl, turn.key);
  const outcome = await get(url, lease.interrupted);
  // Nothing was seen by what was interrupted.
  if (lease.interrupted.aborted) return false;
  const { detail } = judgeKeyFile(outcome, url, turn.key);
  await store.recordKey(turn, detail, backoffMs(turn.keyTries + 1, keyBackoff));
  return detail === null;
}

async function lookAtSite(turn: TurnOfSite, lease: Lease, dependencies: TurnDependencies): Promise<void> {
  const { store, get, lookDelaysMs, quietMs } = dependencies;
  const addresses = await store.toLookAt(turn.projectId, MAX_LOOKS_A_TURN);
  const look = async (address: AddressToLookAt): Promise<LookRecord> => {
    const { url, isGone } = placeOf(turn.siteUrl, address);
    const found = await lookAtPage(url, (page) => get(page, lease.interrupted));
    return { ...address, url, verdict: judgeLook({ ...address, isGone }, found, lookDelaysMs) };
  };
  for (let done = 0; done < addresses.length && lease.isHeld(); done += LOOKS_AT_ONCE) {
    const looked = await Promise.all(addresses.slice(done, done + LOOKS_AT_ONCE).map(look));
    if (!lease.interrupted.aborted) await store.recordLooks(turn, looked, quietMs);
  }
}

async function ping(turn: TurnOfSite, lease: Lease, dependencies: TurnDependencies): Promise<void> {
  const { store, send, rest, restMs, endpoint, userAgent, pingsPerHour, policy, random, now, pinged, logger } =
    dependencies;
  if (!lease.isHeld()) return;
  if (rest.leftMs() > 0) {
    await store.postponePing(turn, rest.leftMs());
    return;
  }
  const { siteUrl, key, projectId } = turn;
  const begun = await store.beginPing(turn, pingsPerHour);
  if (begun.length === 0) return;
  const addresses = begun.map((address) => ({ ...address, url: placeOf(siteUrl, address).url }));
  const urls = addresses.map(({ url }) => url);
  const outcome = await send(pingRequest(endpoint, { siteUrl, key, urls, userAgent }), lease.interrupted);
  rest.takeAtLeast(restAfter(outcome, restMs, now()));
  const verdict = judgePing(outcome, turn.failedInRow + 1, policy, { random, now: now() });
  const statusCode = statusOf(outcome);
  await store.recordPing(turn, {
    outcome: verdict.kind === 'succeeded' ? 'accepted' : verdict.kind,
    addresses,
    statusCode,
    detail: verdict.kind === 'succeeded' ? null : verdict.detail,
    afterMs: verdict.kind === 'retry' ? verdict.afterMs : policy.delaysMs[0],
  });
  pinged(verdict.kind);
  logger.info('index_now.pinged', {
    project_id: projectId,
    addresses: addresses.length,
    outcome: verdict.kind,
    status_code: statusCode,
    ...(verdict.kind !== 'succeeded' && { reason: verdict.reason }),
  });
}

/**
 * Where an address is, and whether its post went from there: one whose slug changed may live where it did, when that is
 * what its receiver says.
 */
function placeOf(siteUrl: string, address: PlacedAddress): { readonly url: string; readonly isGone: boolean } {
  const { slug, isGone, liveUrls, liveNow } = address;
  const url = addressOf(siteUrl, slug, isGone ? liveUrls : liveNow);
  return { url, isGone: isGone && liveOnSite(siteUrl, liveNow) !== url };
}

export function pageRequest(url: string, userAgent: string): OutgoingRequest {
  // Caches on the way may keep a page for long after the site has changed.
  const headers = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8', 'cache-control': 'no-cache' };
  return { url, method: 'GET', headers, body: null, connection: 'close' };
}
