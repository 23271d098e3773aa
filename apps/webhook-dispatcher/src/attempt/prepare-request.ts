import { extras, type VisibilityEvent, showsBlog, webhookSettings } from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';
import { signatureHeaders, standardWebhooksHeaders } from '@blog-content/signing';
import type { PreparedRequest } from '../delivery-log/exchange.ts';
import { actionOf, openTarget } from '../destinations/build-post.ts';
import type { DestinationWork } from '../destinations/deliver-to-destination.ts';
import type { IntegrationSecrets } from '../integrations/integration-secrets.ts';
import type { BodyCache } from '../payload/event-cache.ts';
import { buildPayload, encodePayload, renderContent } from '../payload/build-payload.ts';
import { linkedPosts, linkLive } from '../payload/link-live.ts';
import type { ClaimedDelivery } from '../queue/claim-statements.ts';
import type { CustomHeaders } from '../integrations/custom-headers.ts';
import type { Outcome, WebhookRequest } from '../http/exchange.ts';

export interface PrepareDependencies {
  readonly secrets: IntegrationSecrets;
  readonly bodyCache: Pick<BodyCache, 'build'>;
  readonly userAgent: string;
  readonly logger: Logger;
}

/** Where the posts live that one links to, by slug; null where its links lead to the site. */
export type LiveLinks = ReadonlyMap<string, string> | null;

/** What goes into a request besides what was claimed. */
export interface Surroundings {
  readonly liveLinks: LiveLinks;
  /** Of the attempt's span; undefined where the receiver gets none. */
  readonly traceparent: string | undefined;
}

/**
 * Whether the links of a delivery lead to where its receiver has the posts. Direct integrations see to that themselves.
 * What a later version may have set is not known here, and stops nobody's delivery.
 */
export const isLinkedLive = ({ integrationKind, settings, lifecycleEvent }: ClaimedDelivery): boolean =>
  integrationKind === 'webhook' &&
  showsBlog(lifecycleEvent) &&
  webhookSettings.shape.links.safeParse(((settings ?? {}) as { links?: unknown }).links).data === 'live';

/**
 * What is to be sent, as the integration's kind asks for it. Null when it cannot be built: where no configured key opens
 * a sealed secret, an unsigned request must never go out instead.
 */
export function prepareRequest(
  claimed: ClaimedDelivery,
  { liveLinks, traceparent }: Surroundings,
  { bodyCache, secrets, userAgent, logger }: PrepareDependencies,
): PreparedRequest | DestinationWork | null {
  const { id, integrationKind: kind, integrationId, projectId, blogId, attempt, trigger, lifecycleEvent } = claimed;
  // A connection that is kept may be gone unnoticed, and a manual delivery may have one attempt only.
  const connection = trigger === 'manual' ? 'close' : 'keep-alive';
  try {
    const opened = secrets.open(integrationId, claimed);
    if (kind !== 'webhook') {
      const target = openTarget({ kind, integrationId, projectId, settings: claimed.settings }, opened);
      return { target, blogId, deliveryId: id, attempt, action: actionOf(lifecycleEvent), connection };
    }
    const { url, secret, headers: customHeaders } = opened;
    const request = buildRequest({
      url,
      body: bodyOf(claimed, liveLinks, bodyCache),
      secret,
      customHeaders,
      userAgent,
      deliveryId: id,
      traceparent,
      standardWebhooks: claimed.standardWebhooks ? claimed.beganAt : null,
      legacy: showsBlog(lifecycleEvent) && trigger === 'autopilot',
      connection,
    });
    return { request, secret, customHeaders, sealedHeaders: claimed.sealedHeaders };
  } catch (error) {
    logger.error('delivery.unsendable', { delivery_id: id, integration_id: integrationId, error });
    return null;
  }
}

/** What a later version may have added isn't known here, and is left out. */
export function fieldsOf(settings: unknown): readonly string[] {
  const { fields } = (settings ?? {}) as { fields?: unknown };
  return Array.isArray(fields) ? extras.namesOnRequest('webhooks').filter((name) => fields.includes(name)) : [];
}

function bodyOf(claimed: ClaimedDelivery, liveLinks: LiveLinks, bodyCache: Pick<BodyCache, 'build'>): Uint8Array {
  const { receiverHasBlog, receiverSlug, attempt, retries } = claimed;
  const context = { receiverHasBlog, receiverSlug, attempt, retries, fields: fieldsOf(claimed.settings) };
  const event = eventToSend(claimed);
  if (liveLinks === null || !showsBlog(event)) return bodyCache.build(event, context);
  return encodePayload(
    buildPayload(event, context, () => {
      const { content, images } = renderContent(event);
      return { content: linkLive(content, linkedPosts(event), liveLinks), images };
    }),
  );
}

/**
 * A redelivery is manual even if the autopilot published, and finalized when it is asked for: a receiver that refuses
 * old publishes (contract §5.2.7) takes it.
 */
function eventToSend({ kind, lifecycleEvent, eventTime }: ClaimedDelivery): VisibilityEvent {
  if (kind === 'lifecycle') return lifecycleEvent;
  return showsBlog(lifecycleEvent)
    ? { ...lifecycleEvent, trigger: 'manual', published_at: eventTime.toISOString() }
    : { ...lifecycleEvent, trigger: 'manual' };
}

export interface RequestParts {
  readonly url: string;
  /** Exactly the bytes to sign and to send (contract §5.2.3). */
  readonly body: Uint8Array;
  /** Null when the integration has none: nothing is signed then (contract §5.2.2). */
  readonly secret: string | null;
  readonly customHeaders: CustomHeaders;
  readonly userAgent: string;
  /** What the owner finds the request by in the delivery log. */
  readonly deliveryId: string;
  /** W3C, of the trace that the request belongs to, where it goes along. */
  readonly traceparent?: string | undefined;
  /** Whether old receivers get their signature header too (contract §5.2.4). */
  readonly legacy: boolean;
  /** When the attempt began, where the receiver gets the headers of Standard Webhooks too; null where it does not. */
  readonly standardWebhooks: Date | null;
  readonly connection: WebhookRequest['connection'];
}

/** What comes of a request that could not be built. */
export const UNSENDABLE: Outcome = {
  kind: 'unsendable',
  detail: 'Internal error: the request could not be built. See the service log.',
};

/**
 * One request to a receiver: the service's headers, the owner's in place of those they name, then what nobody replaces.
 */
export function buildRequest(parts: RequestParts): WebhookRequest {
  const { url, body, secret, customHeaders, userAgent, deliveryId, legacy, connection } = parts;
  const { standardWebhooks: at, traceparent } = parts;
  const own = {
    'user-agent': userAgent,
    accept: 'application/json',
    'x-webhook-delivery': deliveryId,
    ...(traceparent !== undefined && { traceparent }),
  };
  const fixed = {
    'content-type': 'application/json',
    ...(secret !== null && signatureHeaders(body, secret, { legacy })),
    ...(secret !== null && at !== null && standardWebhooksHeaders(body, secret, { id: deliveryId, at })),
  };
  const hasCustom = Object.keys(customHeaders).length > 0;
  const headers = hasCustom ? mergeHeaders(own, customHeaders, fixed) : { ...own, ...fixed };
  // Only an autopilot delivery has a kept connection, and receivers have to take these twice anyway.
  return { url, body, headers, connection, isRepeatable: connection === 'keep-alive' };
}

/** Later headers replace earlier ones of the same name, ignoring case. */
function mergeHeaders(...sets: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const byName = new Map<string, [name: string, value: string]>();
  for (const [name, value] of sets.flatMap(Object.entries<string>)) byName.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(byName.values());
}
