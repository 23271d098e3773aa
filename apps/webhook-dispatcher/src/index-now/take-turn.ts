import type { Logger } from '@blog-content/service-runtime';
import type { RetryPolicy, Verdict } from '../attempt/judge.ts';
import type { Lease } from '../concurrency/lease.ts';
import type { HookRequest } from '../deploy-hooks/settings/build-request.ts';
import { type Outcome, statusOf } from '../http/outcome.ts';
import { judgeLook } from './judge-look.ts';
import { judgePing } from './judge-ping.ts';
import { lookAtPage } from './look-at-page.ts';
import { pingRequest } from './ping-request.ts';
import { addressOf, liveOnSite } from './site-address.ts';
import type { AddressToLookAt, ClaimedTurn, Looked, PlacedAddress, TurnStore } from './turn-store.ts';

/** Most pages of a project that are looked at in one turn, */
const MAX_LOOKS_A_TURN = 20;
/** and at once. */
const LOOKS_AT_ONCE = 4;

export interface TurnDependencies {
  readonly store: Omit<TurnStore, 'claim' | 'renew' | 'countWaiting'>;
  readonly send: (request: HookRequest, interrupted: AbortSignal) => Promise<Outcome>;
  readonly lookDelaysMs: readonly number[];
  readonly quietMs: number;
  readonly pingsPerHour: number;
  readonly endpoint: string;
  readonly userAgent: string;
  readonly policy: RetryPolicy;
  readonly random: () => number;
  readonly now: () => Date;
  readonly pinged: (verdict: Verdict['kind']) => void;
  readonly logger: Logger;
}

/**
 * A project's turn: looks at a few of the pages that are to change, then pings those that have, and gives the lease
 * back. It may be done again, whole or in part: whatever it had not recorded is still there. Throws when something could
 * not be recorded; the lease then runs out, and another turn does it.
 */
export async function takeTurn(turn: ClaimedTurn, lease: Lease, dependencies: TurnDependencies): Promise<void> {
  const { siteUrl } = turn;
  if (siteUrl === null) {
    await dependencies.store.giveUp(turn, 'The project has no website.');
  } else {
    await lookAtSite({ ...turn, siteUrl }, lease, dependencies);
    await ping({ ...turn, siteUrl }, lease, dependencies);
  }
  await dependencies.store.release(turn);
}

type TurnOfSite = ClaimedTurn & { readonly siteUrl: string };

async function lookAtSite(turn: TurnOfSite, lease: Lease, dependencies: TurnDependencies): Promise<void> {
  const { store, send, lookDelaysMs, quietMs, userAgent } = dependencies;
  const addresses = await store.toLookAt(turn.projectId, MAX_LOOKS_A_TURN);
  const get = (url: string) => send(pageRequest(url, userAgent), lease.interrupted);
  const look = async (address: AddressToLookAt): Promise<Looked> => {
    const { url, isGone } = placeOf(turn.siteUrl, address);
    const sight = await lookAtPage(url, get);
    return { ...address, verdict: judgeLook({ ...address, isGone }, sight, lookDelaysMs) };
  };
  for (let done = 0; done < addresses.length && lease.isHeld(); done += LOOKS_AT_ONCE) {
    const looked = await Promise.all(addresses.slice(done, done + LOOKS_AT_ONCE).map(look));
    // Nothing was seen by what was interrupted.
    if (!lease.interrupted.aborted) await store.recordLooks(turn, looked, quietMs);
  }
}

async function ping(turn: TurnOfSite, lease: Lease, dependencies: TurnDependencies): Promise<void> {
  const { store, send, endpoint, userAgent, pingsPerHour, policy, random, now, pinged, logger } = dependencies;
  if (!lease.isHeld()) return;
  const addresses = await store.beginPing(turn, pingsPerHour);
  if (addresses === null) return;
  const { siteUrl, key, projectId } = turn;
  const urls = addresses.map((address) => placeOf(siteUrl, address).url);
  const outcome = await send(pingRequest(endpoint, { siteUrl, key, urls, userAgent }), lease.interrupted);
  const verdict = judgePing(outcome, turn.failedInRow + 1, policy, { random, now: now() });
  const statusCode = statusOf(outcome);
  await store.recordPing(turn, {
    status: verdict.kind === 'succeeded' ? 'accepted' : verdict.kind,
    addresses,
    statusCode,
    detail: verdict.kind === 'succeeded' ? null : verdict.detail,
    afterMs: verdict.kind === 'retry' ? verdict.afterMs : 0,
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

export function pageRequest(url: string, userAgent: string): HookRequest {
  // Caches on the way may keep a page for long after the site has changed.
  const headers = { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8', 'cache-control': 'no-cache' };
  return { url, method: 'GET', headers, body: new Uint8Array() };
}
