import {
  destinationParts,
  type IntegrationKind,
  type integrationCreateRequest,
  type integrationUpdateRequest,
  secretOf,
  urlOf,
  webhookSettings,
} from '@blog-content/payload-schemas';
import { parseBody, unprocessable } from '@blog-content/service-runtime';
import { z } from 'zod';
import type { NewIntegration } from './integration-store.ts';

/** What an integration has by its kind, as it is stored. */
export function partsOf(
  request: z.infer<typeof integrationCreateRequest>,
): Pick<NewIntegration, 'integrationKind' | 'settings' | 'standardWebhooks'> {
  const { kind: integrationKind = 'webhook' } = request;
  return {
    integrationKind,
    settings: request.settings,
    standardWebhooks: 'standard_webhooks' in request && request.standard_webhooks,
  };
}

type Changes = Pick<
  z.infer<typeof integrationUpdateRequest>,
  'url' | 'secret' | 'settings' | 'headers' | 'standard_webhooks'
>;

/**
 * Reads the changes that depend on the kind of an integration, as they are to be kept. @throws a problem where it does
 * not have them.
 */
export function checkParts(kind: IntegrationKind, given: Changes): Pick<Changes, 'url' | 'secret' | 'settings'> {
  const foreign = kind === 'webhook' ? ([] as const) : (['headers', 'standard_webhooks'] as const);
  const errors = foreign
    .filter((field) => given[field] !== undefined)
    .map((field) => ({ field, message: 'does not apply to this type of integration' }));
  if (errors.length > 0) throw unprocessable(errors);
  const parts = z.object({
    url: urlOf(kind).optional(),
    secret: secretOf(kind).optional(),
    settings: (kind === 'webhook' ? webhookSettings : destinationParts[kind].settings).optional(),
  });
  const { url, secret, settings } = parseBody(parts, {
    url: given.url,
    secret: given.secret,
    settings: given.settings,
  });
  return {
    ...(url !== undefined && { url }),
    ...(secret !== undefined && { secret }),
    ...(settings !== undefined && { settings }),
  };
}
