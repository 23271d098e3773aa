import { Button, Checkbox, Group, Stack, TextInput, Title } from '@mantine/core';
import type { Integration } from '../../generated/types.gen.ts';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { Overtaken } from '../../parts/forms/overtaken.tsx';
import { tick, word } from '../../parts/forms/use-settings-form.ts';
import { Problem } from '../../parts/problem.tsx';
import { AddressField } from '../../parts/webhook-form/address-field.tsx';
import { checkUrl } from '../../parts/webhook-form/check-webhook.ts';
import { SettingFields } from '../../parts/webhook-form/destination-fields.tsx';
import { HeaderRows } from '../../parts/webhook-form/header-rows.tsx';
import { webhook as page, webhookForm as text } from '../../strings/sites/webhooks.ts';
import { useWebhookForm } from './use-webhook-form.ts';

/**
 * Name, address, headers and which of them sign. The secret and the rest have buttons of their own, which say what will
 * happen.
 */
export function Settings({ webhook }: { webhook: Integration }) {
  const form = useWebhookForm(webhook);
  const { fields, set, isDirty, save, refused, overtaken, wrong } = form;
  // A field without a place in the form does not compile.
  const {
    name: _name,
    url,
    headers,
    heal_links: heals,
    links,
    standard_webhooks: _standard,
    settings,
    ...others
  } = fields;
  others satisfies Record<string, never>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack maw={640}>
        <Title order={2} size="h4">
          {page.settings}
        </Title>
        {save.error && <Problem error={save.error} />}
        <TextInput label={text.name} description={text.nameHint} maxLength={200} {...word(form, 'name')} />
        <AddressField
          kind={webhook.kind}
          url={url}
          onChange={(typed) => set({ url: typed })}
          error={wrong('url') ?? (url === webhook.url ? null : checkUrl(url))}
        />
        {webhook.kind !== 'webhook' && (
          <SettingFields
            kind={webhook.kind}
            typed={settings}
            onChange={(typed) => set({ settings: typed })}
            refused={refused}
          />
        )}
        <Overtaken said={overtaken('settings')} />
        <Checkbox label={text.heal} description={text.healHint} {...tick(form, 'heal_links')} />
        <Checkbox
          label={text.live}
          description={text.liveHint[webhook.kind === 'webhook' ? 'webhook' : 'destination']}
          checked={links === 'live'}
          // What a webhook's receiver says of other posts is known only while their links are kept up to date.
          disabled={webhook.kind === 'webhook' && !heals && links !== 'live'}
          onChange={({ currentTarget }) => set({ links: currentTarget.checked ? 'live' : 'site' })}
        />
        {webhook.kind === 'webhook' && (
          <>
            <Checkbox label={text.standard} description={text.standardHint} {...tick(form, 'standard_webhooks')} />
            <HeaderRows rows={headers} onChange={(rows) => set({ headers: rows })} />
          </>
        )}
        <Overtaken said={overtaken('headers')} />
        <AskBeforeLeaving unsaved={isDirty} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
