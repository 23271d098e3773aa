import {
  destinationParts,
  type IntegrationKind,
  type integrationCreateRequest,
  type integrationUpdateRequest,
  secretOf,
  urlOf,
  webhookSettings,
} from '@blog-content/payload-schemas';
import { unprocessable } from '@blog-content/service-runtime';
import type { z } from 'zod';
import type { HeaderProblem } from './custom-headers.ts';
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
  const errors: HeaderProblem[] = [];
  const read = <T>(field: string, schema: z.ZodType<T>, value: unknown): T | undefined => {
    if (value === undefined) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const { path, message } of result.error.issues) errors.push({ field: [field, ...path].join('.'), message });
    return undefined;
  };
  const url = read('url', urlOf(kind), given.url);
  const secret = read('secret', secretOf(kind), given.secret);
  const schema: z.ZodType<Record<string, unknown>> =
    kind === 'webhook' ? webhookSettings : destinationParts[kind].settings;
  const settings = read('settings', schema, given.settings);
  const foreign = kind === 'webhook' ? ([] as const) : (['headers', 'standard_webhooks'] as const);
  for (const field of foreign) {
    if (given[field] !== undefined) errors.push({ field, message: 'is not part of this kind of integration' });
  }
  if (errors.length > 0) throw unprocessable(errors);
  return {
    ...(url !== undefined && { url }),
    ...(secret !== undefined && { secret }),
    ...(settings !== undefined && { settings }),
  };
}
