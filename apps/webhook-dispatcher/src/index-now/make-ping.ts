import type { Logger } from '@blog-content/service-runtime';
import { type RetryPolicy, statusOf, type Verdict } from '../http/judge.ts';
import type { Outcome, OutgoingRequest, Lease } from '../http/exchange.ts';
import { judgePing } from './judge-ping.ts';
import type { ClaimedPing, PingStore } from './ping-store.ts';
import { addressOf, keyFileUrl } from './site-address.ts';

export interface PingDependencies {
  readonly store: Pick<PingStore, 'ready' | 'record' | 'release'>;
  readonly send: (request: OutgoingRequest, interrupted: AbortSignal) => Promise<Outcome>;
  readonly endpoint: string;
  readonly userAgent: string;
  readonly policy: RetryPolicy;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly now: () => Date;
  readonly pinged: (verdict: Verdict['kind']) => void;
  readonly logger: Logger;
}

/**
 * Tells search engines which URLs of a project changed: load, build, send, judge, record. If the result could not be
 * recorded, it throws. The lease then expires, and the ping is repeated: a duplicate does no harm.
 */
export async function makePing(claimed: ClaimedPing, lease: Lease, dependencies: PingDependencies): Promise<void> {
  const { store, send, policy, random, now, pinged, logger } = dependencies;
  const addresses = await store.ready(claimed.projectId);
  if (addresses.length === 0) return store.release(claimed);
  const urls = addresses.map(({ slug, liveUrls }) => addressOf(claimed.siteUrl, slug, liveUrls));
  const outcome = await send(pingRequest(claimed, urls, dependencies), lease.interrupted);
  const verdict = judgePing(outcome, claimed.failedInRow + 1, policy, { random, now: now() });
  const statusCode = statusOf(outcome);
  await store.record(claimed, {
    status: verdict.kind === 'succeeded' ? 'accepted' : verdict.kind,
    addresses,
    statusCode,
    detail: verdict.kind === 'succeeded' ? null : verdict.detail,
    afterMs: verdict.kind === 'retry' ? verdict.afterMs : 0,
  });
  pinged(verdict.kind);
  logger.info('index_now.pinged', {
    project_id: claimed.projectId,
    addresses: addresses.length,
    outcome: verdict.kind,
    status_code: statusCode,
    ...(verdict.kind !== 'succeeded' && { reason: verdict.reason }),
  });
}

/** The request of https://www.indexnow.org/documentation, “Submitting set of URLs”, with each URL once. */
function pingRequest(
  { siteUrl, key }: ClaimedPing,
  urls: readonly string[],
  { endpoint, userAgent }: PingDependencies,
): OutgoingRequest {
  const body = {
    host: new URL(siteUrl).host,
    key,
    keyLocation: keyFileUrl(siteUrl, key),
    urlList: [...new Set(urls)],
  };
  return {
    url: endpoint,
    method: 'POST',
    headers: { 'user-agent': userAgent, 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(body), 'utf8'),
    connection: 'close',
  };
}
