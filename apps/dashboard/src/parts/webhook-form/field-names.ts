import { destinations } from '../../strings/sites/destinations.ts';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';
import type { FieldNames } from '../explain-error.ts';
import type { DestinationKind } from './destination-request.ts';

/** What the form of a webhook or system calls the fields that the API refuses. */
export function namesOf(kind: 'webhook' | DestinationKind): FieldNames {
  const names = { name: text.name, url: text.url, headers: text.headers };
  if (kind === 'webhook') return { ...names, secret: text.secret };
  const { secret, settings } = destinations[kind];
  return { ...names, secret, ...Object.fromEntries(settings.map(({ name, label }) => [`settings.${name}`, label])) };
}
