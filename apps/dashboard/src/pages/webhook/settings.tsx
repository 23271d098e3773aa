import { Button, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import type { Integration } from '../../generated/types.gen.ts';
import { fieldErrors } from '../../parts/explain-error.ts';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { Problem } from '../../parts/problem.tsx';
import { AddressField } from '../../parts/webhook-form/address-field.tsx';
import { checkUrl } from '../../parts/webhook-form/check-webhook.ts';
import { SettingFields } from '../../parts/webhook-form/destination-fields.tsx';
import { HeaderRows } from '../../parts/webhook-form/header-rows.tsx';
import { common } from '../../strings/common.ts';
import { webhook as page, webhookForm as text } from '../../strings/sites/webhooks.ts';
import { useWebhookForm } from './use-webhook-form.ts';

/** Name, address, headers and which of them sign. The secret and the rest have buttons of their own, which say what will happen. */
export function Settings({ webhook }: { webhook: Integration }) {
  const { draft, update } = useWebhookForm(webhook);
  const {
    name,
    url,
    headers,
    heal_links: heals,
    links,
    standard_webhooks: standard,
    settings,
    ...others
  } = draft.fields;
  // A field without a place in the form does not compile.
  others satisfies Record<string, never>;
  const refused = update.error ? fieldErrors(update.error) : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate();
      }}
    >
      <Stack maw={640}>
        <Title order={2} size="h4">
          {page.settings}
        </Title>
        {update.error && <Problem error={update.error} />}
        <TextInput
          label={text.name}
          description={text.nameHint}
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => draft.set({ name: currentTarget.value })}
          error={refused['name'] ?? (draft.isOvertaken('name') && common.overtaken)}
        />
        <AddressField
          kind={webhook.kind}
          url={url}
          onChange={(typed) => draft.set({ url: typed })}
          error={
            refused['url'] ?? (draft.isOvertaken('url') ? common.overtaken : url === webhook.url ? null : checkUrl(url))
          }
        />
        {webhook.kind !== 'webhook' && (
          <SettingFields
            kind={webhook.kind}
            typed={settings}
            onChange={(typed) => draft.set({ settings: typed })}
            refused={refused}
          />
        )}
        {draft.isOvertaken('settings') && <Overtaken />}
        <Checkbox
          label={text.heal}
          description={text.healHint}
          checked={heals}
          onChange={({ currentTarget }) => draft.set({ heal_links: currentTarget.checked })}
          error={draft.isOvertaken('heal_links') && common.overtaken}
        />
        <Checkbox
          label={text.live}
          description={text.liveHint[webhook.kind === 'webhook' ? 'webhook' : 'destination']}
          checked={links === 'live'}
          // What a webhook's receiver says of other posts is known only while their links are kept up to date.
          disabled={webhook.kind === 'webhook' && !heals && links !== 'live'}
          onChange={({ currentTarget }) => draft.set({ links: currentTarget.checked ? 'live' : 'site' })}
          error={draft.isOvertaken('links') && common.overtaken}
        />
        {webhook.kind === 'webhook' && (
          <>
            <Checkbox
              label={text.standard}
              description={text.standardHint}
              checked={standard}
              onChange={({ currentTarget }) => draft.set({ standard_webhooks: currentTarget.checked })}
              error={draft.isOvertaken('standard_webhooks') && common.overtaken}
            />
            <HeaderRows rows={headers} onChange={(rows) => draft.set({ headers: rows })} />
          </>
        )}
        {draft.isOvertaken('headers') && <Overtaken />}
        <AskBeforeLeaving unsaved={draft.isDirty} />
        <Group>
          <Button type="submit" loading={update.isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Overtaken() {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="status">
      {common.overtaken}
    </Text>
  );
}
