import { getWebhookOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { updateWebhook } from '../../generated/sdk.gen.ts';
import type { Integration, IntegrationUpdateRequest } from '../../generated/types.gen.ts';
import { useSettingsForm } from '../../parts/forms/use-settings-form.ts';
import { fromRows, toRows, type HeaderRow } from '../../parts/webhook-form/check-webhook.ts';
import { settingsOf, typedSettings } from '../../parts/webhook-form/destination-request.ts';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';
import { changedFields, type FieldValues } from './changed-fields.ts';

type WebhookFields = Omit<FieldValues, 'headers'> & { readonly headers: readonly HeaderRow[] };

/** The values of a webhook's form, and how its changes are saved. */
export function useWebhookForm(webhook: Integration) {
  const path = { projectId: webhook.project_id, integrationId: webhook.id };
  return useSettingsForm({
    saved: webhook,
    query: getWebhookOptions({ path }),
    fieldsOf,
    send: (fields, newest) => updateWebhook({ path, body: changeOf(newest, fields), throwOnError: true }),
    list: 'listWebhooks',
    done: text.saved,
  });
}

function changeOf(newest: Integration, fields: WebhookFields): IntegrationUpdateRequest {
  const written = { ...fields, url: fields.url.trim(), headers: fromRows(fields.headers) };
  const saved = {
    ...newest,
    links: linksOf(newest),
    fields: requestedOf(newest),
    settings: typedSettings(newest.settings),
  };
  const {
    links: changedLinks,
    fields: changedNames,
    settings: changedSettings,
    ...changed
  } = changedFields(saved, written);
  // Settings are replaced as a whole.
  const settings = {
    ...newest.settings,
    ...(newest.kind !== 'webhook' && settingsOf(newest.kind, written.settings)),
    links: written.links,
    ...(changedNames !== undefined && { fields: changedNames }),
  };
  return { ...changed, ...((changedLinks ?? changedNames ?? changedSettings) !== undefined && { settings }) };
}

const linksOf = ({ settings }: Integration): WebhookFields['links'] => (settings['links'] === 'live' ? 'live' : 'site');

const requestedOf = ({ settings: { fields } }: Integration): WebhookFields['fields'] =>
  Array.isArray(fields) ? fields.filter((name) => typeof name === 'string') : [];

const fieldsOf = (integration: Integration): WebhookFields => ({
  name: integration.name,
  url: integration.url,
  headers: toRows(integration.headers),
  heal_links: integration.heal_links,
  retry_manual: integration.retry_manual,
  links: linksOf(integration),
  fields: requestedOf(integration),
  standard_webhooks: integration.standard_webhooks,
  settings: typedSettings(integration.settings),
});
