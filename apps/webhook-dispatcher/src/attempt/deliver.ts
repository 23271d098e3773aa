import { performance } from 'node:perf_hooks';
import {
  type DestinationKind,
  type LifecycleEvent,
  type ReceiverAnswer,
  showsBlog,
} from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';
import type { IntegrationSecrets } from '../integrations/integration-secrets.ts';
import { buildRequest } from './build-request.ts';
import type { BodyCache } from '../payload/body-cache.ts';
import { buildPayload, chooseEvent, encodePayload, expectedBytes, renderContent } from '../payload/build-payload.ts';
import { linkedPosts, linkLive } from '../payload/link-live.ts';
import { actionOf, openTarget } from '../destinations/build-post.ts';
import type { DestinationResult, DestinationWork } from '../destinations/deliver-to-destination.ts';
import type { BodyBudget, ReservedBytes } from './body-budget.ts';
import type { AttemptRecord, AttemptStore, ClaimedDelivery, LeasedDelivery } from './claimed-delivery.ts';
import { isLinkedLive, type LiveLinkStore } from './live-link-store.ts';
import { describeExchange, type PreparedRequest, type StoredExchange } from '../delivery-log/exchange.ts';
import { releaseDelivery } from './release-delivery.ts';
import { judge, type RetryPolicy, type Verdict } from './judge.ts';
import type { Lease } from '../concurrency/lease.ts';
import { NO_ANSWER, readAnswer } from './read-answer.ts';
import { type NotSent, type Outcome, statusOf } from '../http/outcome.ts';
import type { WebhookRequest } from '../http/webhook-request.ts';
import { untilRecorded } from './until-recorded.ts';
import type { SentBodyStore } from '../delivery-log/sent-body-store.ts';

/** What attempts are measured by. */
export interface AttemptMetrics {
  /** An attempt ended: what follows, and why it failed (`none` when it did not). */
  attempted(verdict: Verdict['kind'], reason: string): void;
  /** A first attempt's first byte could leave so many milliseconds after its lifecycle event happened. */
  firstByte(latencyMs: number): void;
}

export interface DeliverDependencies {
  readonly store: AttemptStore;
  readonly secrets: IntegrationSecrets;
  readonly bodies: Pick<SentBodyStore, 'keep'>;
  readonly bodyCache: Pick<BodyCache, 'build'>;
  readonly budget: Pick<BodyBudget, 'take'>;
  readonly liveLinks: LiveLinkStore;
  readonly send: (request: WebhookRequest, lease: Lease, onWritten: () => void) => Promise<Outcome | NotSent>;
  /** Makes the attempt of a direct integration; see `deliver-to-destination.ts`. */
  readonly toDestination: (work: DestinationWork, lease: Lease) => Promise<DestinationResult>;
  readonly policy: RetryPolicy;
  readonly userAgent: string;
  readonly metrics: AttemptMetrics;
  readonly logger: Logger;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly now: () => Date;
  /** Aborted when the process must end. */
  readonly ending: AbortSignal;
}

export type RecordDependencies = Pick<
  DeliverDependencies,
  'policy' | 'random' | 'now' | 'metrics' | 'logger' | 'ending'
> & {
  readonly store: Pick<AttemptStore, 'record'>;
};

/**
 * What is known of a running attempt, without its event and body, which are in memory no longer than they are needed.
 */
interface RunningAttempt {
  readonly held: LeasedDelivery;
  /** How long ago its event happened when it was sent, in milliseconds. */
  readonly eventAgeMs: number;
  /** Whether the receiver has the blog after a success. */
  readonly leavesBlog: boolean;
  readonly startedMs: number;
}

/** Where the posts live that one links to, by slug; null where its links lead to the site. */
type LiveLinks = ReadonlyMap<string, string> | null;

interface ExchangeResult {
  readonly outcome: Outcome | NotSent;
  readonly exchange: StoredExchange | null;
  /** What a system of a direct integration says of the post; left out where it stands in the receiver's answer. */
  readonly answer?: ReceiverAnswer;
}

/**
 * Makes one attempt: build, sign, send, judge, record. The claim has already written the attempt down. Resolves to what
 * came of it, null when it was not made: its body did not fit into the budget, or its lease was lost, and the delivery
 * is released. Rejects only when that could not be recorded; the lease then runs out and the attempt counts as
 * interrupted.
 *
 * It is built before this returns, or as soon as its links have been looked up: an `async` function would keep what it
 * is given until its end.
 */
export function deliver(
  claimed: ClaimedDelivery,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<Outcome['kind'] | null> {
  const bytes = dependencies.budget.take(claimed.projectId, expectedBytes(claimed.lifecycleEvent));
  if (bytes === null) return releaseUnattempted(withoutEvent(claimed), 'no_room', lease, dependencies);
  if (isLinkedLive(claimed)) return attemptLinkedLive(claimed, bytes, lease, dependencies);
  return attempt(claimed, null, bytes, lease, dependencies);
}

/** Looks its links up first. Where that is not possible now, the delivery is released. */
function attemptLinkedLive(
  claimed: ClaimedDelivery,
  bytes: ReservedBytes,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<Outcome['kind'] | null> {
  return dependencies.liveLinks.find(claimed, lease.interrupted).then(
    (liveLinks) => attempt(claimed, liveLinks, bytes, lease, dependencies),
    () => {
      bytes.release();
      return releaseUnattempted(withoutEvent(claimed), 'links_unknown', lease, dependencies);
    },
  );
}

function attempt(
  claimed: ClaimedDelivery,
  liveLinks: LiveLinks,
  bytes: ReservedBytes,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<Outcome['kind'] | null> {
  const startedMs = performance.now();
  const { lifecycleEvent, eventTime } = claimed;
  const held = withoutEvent(claimed);
  const eventAgeMs = dependencies.now().getTime() - eventTime.getTime();
  const exchanged = exchange(claimed, liveLinks, bytes, lease, dependencies);
  const running = { held, eventAgeMs, leavesBlog: showsBlog(lifecycleEvent), startedMs };
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
  liveLinks: LiveLinks,
  bytes: Pick<ReservedBytes, 'resize'>,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<ExchangeResult> {
  if (claimed.integrationKind !== 'webhook') {
    const work = prepareWork(claimed, claimed.integrationKind, dependencies);
    return 'action' in work ? exchangeWithDestination(work, lease, dependencies) : nothingSent(work);
  }
  const prepared = prepareRequest(claimed, liveLinks, dependencies);
  if (!isPrepared(prepared)) return nothingSent(prepared);
  bytes.resize(prepared.request.body.byteLength);
  return exchangeWith(prepared, lease, dependencies);
}

const nothingSent = (outcome: Outcome): Promise<ExchangeResult> => Promise.resolve({ outcome, exchange: null });

/** All but the event and the receiver: they are to leave memory as soon as the body is built. */
function withoutEvent(claimed: ClaimedDelivery): LeasedDelivery {
  return {
    id: claimed.id,
    kind: claimed.kind,
    leaseToken: claimed.leaseToken,
    attempt: claimed.attempt,
    trigger: claimed.trigger,
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
  { held, eventAgeMs, leavesBlog, startedMs }: RunningAttempt,
  exchanged: Promise<ExchangeResult>,
  lease: Lease,
  dependencies: DeliverDependencies,
): Promise<Outcome['kind'] | null> {
  const { outcome, exchange, answer } = await exchanged;
  // Somebody else may hold it by now: sending could have sent it twice. Nothing has left, so it may simply go later.
  if (outcome.kind === 'not_sent') return releaseUnattempted(held, 'lease_lost', lease, dependencies);
  if (held.attempt === 1 && 'timings' in outcome && outcome.timings.firstByteMs !== null) {
    dependencies.metrics.firstByte(eventAgeMs + outcome.timings.firstByteMs);
  }
  const durationMs = performance.now() - startedMs;
  await recordOutcome(held, outcome, durationMs, dependencies, { exchange, leavesBlog, ...(answer && { answer }) });
  return outcome.kind;
}

async function releaseUnattempted(
  held: LeasedDelivery,
  reason: 'no_room' | 'links_unknown' | 'lease_lost',
  lease: Lease,
  { store, logger }: DeliverDependencies,
): Promise<null> {
  await releaseDelivery(held, lease, store);
  logger.warn('delivery.released', {
    deliveries: 1,
    reason,
    delivery_id: held.id,
    project_id: held.projectId,
    attempt: held.attempt,
  });
  return null;
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

const NOTHING_SENT = { exchange: null, leavesBlog: false };

/** Judges and records an outcome, and writes the attempt's one log line. */
export async function recordOutcome(
  held: LeasedDelivery,
  outcome: Outcome,
  durationMs: number,
  { store, policy, random, now, metrics, logger, ending }: RecordDependencies,
  {
    exchange,
    leavesBlog,
    answer: said,
  }: Pick<ExchangeResult, 'exchange' | 'answer'> & Pick<RunningAttempt, 'leavesBlog'> = NOTHING_SENT,
): Promise<void> {
  const endedAt = now();
  const attempt = { number: held.attempt, trigger: held.trigger };
  const verdict = judge(outcome, attempt, policy, { random, now: endedAt });
  const isAnswer = verdict.kind === 'succeeded' && outcome.kind === 'answered' && leavesBlog;
  const answer = isAnswer ? (said ?? readAnswer(outcome.body)) : NO_ANSWER;
  const record: AttemptRecord = {
    verdict,
    event: held.event,
    endedAt,
    statusCode: statusOf(outcome),
    liveUrl: answer.url,
    externalId: answer.external_id,
    receiverHasBlog: leavesBlog,
    exchange,
  };
  // Also when the lease has been lost meanwhile: the database decides whether it still counts (ADR 19).
  const recorded = await untilRecorded(
    () => store.record(held, record),
    { ending, patienceMs: RECORDING_PATIENCE_MS },
    (failure) => logger.warn('delivery.not_recorded_yet', { delivery_id: held.id, ...failure }),
  );
  metrics.attempted(verdict.kind, verdict.kind === 'succeeded' ? 'none' : verdict.reason);
  logger.info('delivery.attempted', {
    delivery_id: held.id,
    kind: held.kind,
    integration_id: held.integrationId,
    project_id: held.projectId,
    blog_id: held.blogId,
    publish_id: held.publishId,
    lifecycle_event_id: held.lifecycleEventId,
    webhook_event: held.event,
    trigger: held.trigger,
    attempt: held.attempt,
    outcome: verdict.kind,
    ...(verdict.kind !== 'succeeded' && { reason: verdict.reason }),
    ...(verdict.kind === 'retry' && { retry_after_ms: verdict.afterMs }),
    status_code: record.statusCode,
    ...(outcome.kind === 'network' && { stage: outcome.stage, code: outcome.code }),
    ...('timings' in outcome && { first_byte_ms: outcome.timings.firstByteMs, answer_ms: outcome.timings.answerMs }),
    duration_ms: Math.round(durationMs),
    has_live_url: answer.url !== null,
    // False: the lease was lost, and whoever took it over records what became of the delivery.
    recorded,
  });
}

/** So long an outcome is tried to be recorded while the database is away, or refuses, in milliseconds. */
const RECORDING_PATIENCE_MS = 3_600_000;

function prepareRequest(
  claimed: ClaimedDelivery,
  liveLinks: LiveLinks,
  { bodyCache, secrets, userAgent, logger }: DeliverDependencies,
): PreparedRequest | Outcome {
  try {
    const { url, secret, headers: customHeaders } = secrets.open(claimed.integrationId, claimed);
    const body = bodyOf(claimed, liveLinks, bodyCache);
    const request = buildRequest({
      url,
      body,
      secret,
      customHeaders,
      userAgent,
      deliveryId: claimed.id,
      standardWebhooks: claimed.standardWebhooks ? claimed.beganAt : null,
      legacy: showsBlog(claimed.lifecycleEvent) && claimed.trigger === 'autopilot',
      // A connection that is kept may be gone unnoticed, and a manual delivery has one attempt.
      connection: claimed.trigger === 'manual' ? 'close' : 'keep-alive',
    });
    return { request, secret, customHeaders, sealedHeaders: claimed.sealedHeaders };
  } catch (error) {
    // A sealed secret that no configured key opens: an unsigned request must never go out instead.
    logger.error('delivery.unsendable', { delivery_id: claimed.id, integration_id: claimed.integrationId, error });
    return UNSENDABLE;
  }
}

function bodyOf(claimed: ClaimedDelivery, liveLinks: LiveLinks, bodyCache: Pick<BodyCache, 'build'>): Uint8Array {
  const { receiverHasBlog, attempt } = claimed;
  const event = eventToSend(claimed);
  if (liveLinks === null || !showsBlog(event)) return bodyCache.build(event, { receiverHasBlog, attempt });
  return encodePayload(
    buildPayload(event, { receiverHasBlog, attempt }, () => {
      const { content, images } = renderContent(event);
      return { content: linkLive(content, linkedPosts(event), liveLinks), images };
    }),
  );
}

const UNSENDABLE: Outcome = {
  kind: 'unsendable',
  detail: 'The request could not be built; the service’s log says why.',
};

function prepareWork(
  claimed: ClaimedDelivery,
  kind: DestinationKind,
  { secrets, logger }: DeliverDependencies,
): DestinationWork | Outcome {
  const { id, integrationId, projectId, blogId, attempt, settings, lifecycleEvent, trigger } = claimed;
  try {
    const target = openTarget({ kind, integrationId, projectId, settings }, secrets.open(integrationId, claimed));
    const connection = trigger === 'manual' ? 'close' : 'keep-alive';
    return { target, blogId, deliveryId: id, attempt, action: actionOf(lifecycleEvent), connection };
  } catch (error) {
    logger.error('delivery.unsendable', { delivery_id: id, integration_id: integrationId, error });
    return UNSENDABLE;
  }
}

/**
 * A redelivery is manual whoever published, and finalized when it is asked for: a receiver that refuses old publishes
 * (contract §5.2.7) takes it.
 */
function eventToSend({ kind, lifecycleEvent, eventTime }: ClaimedDelivery): LifecycleEvent {
  if (kind === 'lifecycle') return lifecycleEvent;
  return showsBlog(lifecycleEvent)
    ? { ...lifecycleEvent, trigger: 'manual', published_at: eventTime.toISOString() }
    : { ...lifecycleEvent, trigger: 'manual' };
}

function isPrepared(value: PreparedRequest | Outcome): value is PreparedRequest {
  return 'request' in value;
}
