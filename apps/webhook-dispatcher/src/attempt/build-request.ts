import { signatureHeaders, standardWebhooksHeaders } from '@blog-content/signing';
import { type CustomHeaders, sentHeaders } from '../integrations/custom-headers.ts';
import type { Outcome } from '../http/outcome.ts';
import type { WebhookRequest } from '../http/webhook-request.ts';

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
  const { standardWebhooks: at } = parts;
  const custom = sentHeaders(customHeaders);
  const own = { 'user-agent': userAgent, accept: 'application/json', 'x-webhook-delivery': deliveryId };
  const fixed = {
    'content-type': 'application/json',
    ...(secret !== null && signatureHeaders(body, secret, { legacy })),
    ...(secret !== null && at !== null && standardWebhooksHeaders(body, secret, { id: deliveryId, at })),
  };
  const hasCustom = Object.keys(custom).length > 0;
  const headers = hasCustom ? mergeHeaders(own, custom, fixed) : { ...own, ...fixed };
  // Only an autopilot delivery has a kept connection, and receivers have to take these twice anyway.
  return { url, body, headers, connection, isRepeatable: connection === 'keep-alive' };
}

/** Later headers replace earlier ones of the same name, whatever its case. */
function mergeHeaders(...sets: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const byName = new Map<string, [name: string, value: string]>();
  for (const [name, value] of sets.flatMap(Object.entries<string>)) byName.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(byName.values());
}
