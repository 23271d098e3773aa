import { performance } from 'node:perf_hooks';
import { type ReceiverAnswer, showsBlog } from '@blog-content/payload-schemas';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, NotSent, Outcome, WebhookRequest } from '../http/exchange.ts';
import { describeExchange, type PreparedRequest, type StoredExchange } from '../delivery-log/exchange.ts';
import type { SentBodyStore } from '../delivery-log/sent-body-store.ts';
import type { DestinationResult, DestinationWork } from '../destinations/deliver-to-destination.ts';
import { chooseEvent, expectedBytes } from '../payload/build-payload.ts';
import type { BodyBudget, ReservedBytes } from '../concurrency/slots.ts';
import {
  isLinkedLive,
  UNSENDABLE,
  type LiveLinks,
  type PrepareDependencies,
  prepareRequest,
  type Surroundings,
} from './prepare-request.ts';
import type { ClaimedDelivery, LeasedDelivery } from '../queue/claim-statements.ts';
import type { DeliveryStore } from '../queue/delivery-store.ts';
import type { LiveLinkStore } from './live-link-store.ts';
import { startAttemptSpan, type AttemptSpan } from './observe-attempts.ts';
import { NO_ANSWER, readAnswer, type RecordDependencies, recordOutcome } from './record-outcome.ts';

export interface DeliverDependencies extends PrepareDependencies, RecordDependencies {
  readonly store: Pick<DeliveryStore, 'record' | 'release'>;
  readonly bodies: Pick<SentBodyStore, 'keep'>;
  readonly budget: Pick<BodyBudget, 'take'>;
  readonly liveLinks: LiveLinkStore;
  readonly send: (request: WebhookRequest, lease: Lease, onWritten: () => void) => Promise<Outcome | NotSent>;
  /** Whether receivers of webhooks get `traceparent`, while there is a trace. */
  readonly sendsTraceparent: boolean;
  /** Makes the attempt of a direct integration; see `deliver-to-destination.ts`. */
  readonly toDestination: (work: DestinationWork, lease: Lease) => Promise<DestinationResult>;
}

/**
 * What is known of a running attempt, without its event and body, which are in memory no longer than they are needed.
 */
interface RunningAttempt {
  readonly held: LeasedDelivery;
  /** How long ago its event happened when it was sent, in milliseconds. */
  readonly eventAgeMs: number;
  /** The slug that the receiver has the blog under after a success; null when it does not have it. */
  readonly leavesSlug: string | null;
  readonly startedMs: number;
  readonly span: AttemptSpan;
}

interface ExchangeResult {
  readonly outcome: Outcome | NotSent;
  readonly exchange: StoredExchange | null;
  /** What a system of a direct integration says of the post; left out where it is in the receiver's answer. */
  readonly answer?: ReceiverAnswer;
}

/**
 * Makes one attempt: build, sign, send, judge, record. The claim has already written the attempt down. It is not
 * made, and the delivery is released, when its body did not fit into the budget, its links could not be looked up, or
 * its lease was lost. Rejects only when that could not be recorded; the lease then runs out
 * and the attempt counts as interrupted.
 *
 * It is built before this returns, or as soon as its links have been looked up: an `async` function would keep what it
 * is given until its end.
 */
export function deliver(claimed: ClaimedDelivery, lease: Lease, dependencies: DeliverDependencies): Promise<boolean> {
  const bytes = dependencies.budget.take(claimed.projectId, expectedBytes(claimed.lifecycleEvent));
  if (bytes === null) return releaseUnattempted(withoutEvent(claimed), 'no_room', lease, dependencies);
  if (!isLinkedLive(claimed)) return attempt(claimed, null, bytes, lease, dependencies);
  return dependencies.liveLinks.find(claimed, lease.interrupted).then(
    (liveLinks) => attempt(claimed, liveLinks, bytes, lease, dependencies),
    () => {
      bytes.release();
      return releaseUnattempted(withoutEvent(claimed), 'links_unknown', lease, dependencies);
    },
  );
}

/** The same with the dependencies that all attempts of a process have. */
export const createDeliver = (dependencies: DeliverDependencies) => (claimed: ClaimedDelivery, lease: Lease) =>
  deliver(claimed, lease, dependencies);

function attempt(
  claimed: ClaimedDelivery,
  liveLinks: LiveLinks,
  bytes: ReservedBytes,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<boolean> {
  const startedMs = performance.now();
  const { lifecycleEvent, eventTime } = claimed;
  const held = withoutEvent(claimed);
  const eventAgeMs = dependencies.now().getTime() - eventTime.getTime();
  const span = startAttemptSpan(held, claimed);
  const traceparent = dependencies.sendsTraceparent ? span.traceparent : undefined;
  const exchanged = exchange(claimed, { liveLinks, traceparent }, bytes, lease, dependencies);
  const running = {
    held,
    eventAgeMs,
    leavesSlug: showsBlog(lifecycleEvent) ? lifecycleEvent.revision.slug : null,
    startedMs,
    span,
  };
  return settle(
    running,
    exchanged.finally(() => bytes.release()),
    lease,
    dependencies,
  );
}

/** Sends what the integration's kind asks for. It is built before this returns. */
function exchange(
  claimed: ClaimedDelivery,
  surroundings: Surroundings,
  bytes: Pick<ReservedBytes, 'resize'>,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<ExchangeResult> {
  const prepared = prepareRequest(claimed, surroundings, dependencies);
  if (prepared === null) return Promise.resolve({ outcome: UNSENDABLE, exchange: null });
  if ('action' in prepared) return exchangeWithDestination(prepared, lease, dependencies);
  bytes.resize(prepared.request.body.byteLength);
  return exchangeWith(prepared, lease, dependencies);
}

/** All but the event and the receiver: they are to leave memory as soon as the body is built. */
function withoutEvent(claimed: ClaimedDelivery): LeasedDelivery {
  return {
    id: claimed.id,
    kind: claimed.kind,
    leaseToken: claimed.leaseToken,
    attempt: claimed.attempt,
    trigger: claimed.trigger,
    retries: claimed.retries,
    lifecycleEventId: claimed.lifecycleEventId,
    integrationId: claimed.integrationId,
    projectId: claimed.projectId,
    blogId: claimed.blogId,
    publishId: claimed.publishId,
    event: chooseEvent(claimed.lifecycleEvent.event, claimed.receiverHasBlog),
    beganAt: claimed.beganAt,
    traceparent: claimed.traceparent,
  };
}

async function settle(
  { held, eventAgeMs, leavesSlug, startedMs, span }: RunningAttempt,
  exchanged: Promise<ExchangeResult>,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<boolean> {
  const { outcome, exchange, answer } = await exchanged;
  const endedMs = performance.now();
  // Somebody else may hold it by now: sending could have sent it twice. Nothing has left, so it may simply go later.
  if (outcome.kind === 'not_sent') {
    span.end(outcome, null, endedMs);
    return releaseUnattempted(held, 'lease_lost', lease, dependencies);
  }
  if (held.attempt === 1 && 'timings' in outcome && outcome.timings.firstByteMs !== null) {
    dependencies.metrics.firstByte(eventAgeMs + outcome.timings.firstByteMs);
  }
  const sent = { exchange, leavesSlug, ...(answer && { answer }) };
  const verdict = await recordOutcome(held, outcome, endedMs - startedMs, dependencies, sent);
  span.end(outcome, verdict, endedMs);
  return verdict.kind !== 'retry';
}

async function releaseUnattempted(
  held: LeasedDelivery,
  reason: 'no_room' | 'links_unknown' | 'lease_lost',
  lease: Lease,
  { store, logger }: DeliverDependencies,
): Promise<boolean> {
  await releaseDelivery(held, lease, store);
  logger.warn('delivery.released', {
    deliveries: 1,
    reason,
    delivery_id: held.id,
    project_id: held.projectId,
    attempt: held.attempt,
  });
  return false;
}

/** Sends, and keeps the body for the log once it is on its way: writing it before would hold the first byte up. */
async function exchangeWith(
  prepared: PreparedRequest,
  lease: Lease,
  { send, bodies }: DeliverDependencies,
): Promise<ExchangeResult> {
  const keep = () => bodies.keep(prepared.request.body);
  const outcome = await send(prepared.request, lease, () => void keep());
  return { outcome, exchange: outcome.kind === 'not_sent' ? null : describeExchange(prepared, outcome, await keep()) };
}

async function exchangeWithDestination(
  work: DestinationWork,
  lease: Lease,
  { toDestination }: DeliverDependencies,
): Promise<ExchangeResult> {
  const { outcome, exchange, placed } = await toDestination(work, lease);
  if (placed === null) return { outcome, exchange, answer: NO_ANSWER };
  return { outcome, exchange, answer: readAnswer(Buffer.from(JSON.stringify(placed), 'utf8')) };
}

const AGAIN_MS = 200;

/**
 * Releases a delivery whose attempt was not made. Tried for as long as the lease is held, because what prevented the
 * attempt, a database that is away, prevents this too. Throws when that fails: the lease then expires.
 */
export async function releaseDelivery(
  held: LeasedDelivery,
  lease: Lease,
  store: Pick<DeliveryStore, 'release'>,
): Promise<void> {
  for (;;) {
    try {
      return await store.release(held);
    } catch (error) {
      if (lease.interrupted.aborted || !lease.isHeld()) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
