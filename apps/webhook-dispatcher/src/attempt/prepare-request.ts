import { type VisibilityEvent, showsBlog } from '@blog-content/payload-schemas';
import type { Logger } from '@blog-content/service-runtime';
import type { PreparedRequest } from '../delivery-log/exchange.ts';
import { actionOf, openTarget } from '../destinations/build-post.ts';
import type { DestinationWork } from '../destinations/deliver-to-destination.ts';
import type { IntegrationSecrets } from '../integrations/integration-secrets.ts';
import type { BodyCache } from '../payload/body-cache.ts';
import { buildPayload, encodePayload, renderContent } from '../payload/build-payload.ts';
import { linkedPosts, linkLive } from '../payload/link-live.ts';
import { buildRequest } from './build-request.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

export interface PrepareDependencies {
  readonly secrets: IntegrationSecrets;
  readonly bodyCache: Pick<BodyCache, 'build'>;
  readonly userAgent: string;
  readonly logger: Logger;
}

/** Where the posts live that one links to, by slug; null where its links lead to the site. */
export type LiveLinks = ReadonlyMap<string, string> | null;

/**
 * What is to be sent, as the integration's kind asks for it. Null when it cannot be built: where no configured key opens
 * a sealed secret, an unsigned request must never go out instead.
 */
export function prepareRequest(
  claimed: ClaimedDelivery,
  liveLinks: LiveLinks,
  { bodyCache, secrets, userAgent, logger }: PrepareDependencies,
): PreparedRequest | DestinationWork | null {
  const { id, integrationKind: kind, integrationId, projectId, blogId, attempt, trigger, lifecycleEvent } = claimed;
  // A connection that is kept may be gone unnoticed, and a manual delivery has one attempt.
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

function bodyOf(claimed: ClaimedDelivery, liveLinks: LiveLinks, bodyCache: Pick<BodyCache, 'build'>): Uint8Array {
  const { receiverHasBlog, receiverSlug, attempt } = claimed;
  const context = { receiverHasBlog, receiverSlug, attempt };
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
 * A redelivery is manual whoever published, and finalized when it is asked for: a receiver that refuses old publishes
 * (contract §5.2.7) takes it.
 */
function eventToSend({ kind, lifecycleEvent, eventTime }: ClaimedDelivery): VisibilityEvent {
  if (kind === 'lifecycle') return lifecycleEvent;
  return showsBlog(lifecycleEvent)
    ? { ...lifecycleEvent, trigger: 'manual', published_at: eventTime.toISOString() }
    : { ...lifecycleEvent, trigger: 'manual' };
}
