import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getWebhookOptions, getWebhookQueryKey } from '../../generated/@tanstack/react-query.gen.ts';
import { updateWebhook } from '../../generated/sdk.gen.ts';
import type { Integration } from '../../generated/types.gen.ts';
import { NEWEST, useDraft } from '../../parts/forms/use-draft.ts';
import { notify } from '../../parts/notify.ts';
import { fromRows, toRows, type HeaderRow } from '../../parts/webhook-form/check-webhook.ts';
import { settingsOf, typedSettings } from '../../parts/webhook-form/destination-request.ts';
import { webhookForm as text } from '../../strings/sites/webhooks.ts';
import { changedFields, type FieldValues } from './changed-fields.ts';

type WebhookFields = Omit<FieldValues, 'headers'> & { readonly headers: readonly HeaderRow[] };

/** What stands in the form of a webhook, and the saving of what was changed in it. */
export function useWebhookForm(webhook: Integration) {
  const queries = useQueryClient();
  const draft = useDraft(fieldsOf(webhook));
  const path = { projectId: webhook.project_id, integrationId: webhook.id };
  const update = useMutation({
    mutationFn: async () => {
      const newest = await queries.fetchQuery({ ...getWebhookOptions({ path }), ...NEWEST });
      const sent = draft.over(fieldsOf(newest));
      if (sent === null) return;
      const written = { ...sent, url: sent.url.trim(), headers: fromRows(sent.headers) };
      const saved = { ...newest, links: linksOf(newest), settings: typedSettings(newest.settings) };
      const { links: changedLinks, settings: changedSettings, ...changed } = changedFields(saved, written);
      // Settings are replaced as a whole.
      const settings = {
        ...newest.settings,
        ...(webhook.kind !== 'webhook' && settingsOf(webhook.kind, written.settings)),
        links: written.links,
      };
      const body = { ...changed, ...((changedLinks ?? changedSettings) !== undefined && { settings }) };
      const { data } = await updateWebhook({ path, body, throwOnError: true });
      queries.setQueryData(getWebhookQueryKey({ path }), data);
      draft.settle(sent);
      notify.done(text.saved);
      await queries.invalidateQueries({ queryKey: [{ _id: 'listWebhooks' }] });
    },
  });
  return { draft, update };
}

const linksOf = ({ settings }: Integration): WebhookFields['links'] => (settings['links'] === 'live' ? 'live' : 'site');

const fieldsOf = (integration: Integration): WebhookFields => ({
  name: integration.name,
  url: integration.url,
  headers: toRows(integration.headers),
  heal_links: integration.heal_links,
  links: linksOf(integration),
  standard_webhooks: integration.standard_webhooks,
  settings: typedSettings(integration.settings),
});
