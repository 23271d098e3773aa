import { Button, Checkbox, Group, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Integration } from '../../generated/types.gen.ts';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { Overtaken } from '../../parts/forms/overtaken.tsx';
import { tick, word } from '../../parts/forms/use-settings-form.ts';
import { Problem } from '../../parts/problem.tsx';
import { RotateDialog } from '../../parts/webhook-actions/rotate-dialog.tsx';
import { useWebhookChanges } from '../../parts/webhook-actions/use-webhook-changes.ts';
import { AddressField } from '../../parts/webhook-form/address-field.tsx';
import { Advanced } from '../../parts/webhook-form/advanced.tsx';
import { checkUrl, hasWrongHeaders } from '../../parts/webhook-form/check-webhook.ts';
import { SettingFields } from '../../parts/webhook-form/destination-fields.tsx';
import { namesOf } from '../../parts/webhook-form/field-names.ts';
import { HeaderRows } from '../../parts/webhook-form/header-rows.tsx';
import { destinations } from '../../strings/sites/destinations.ts';
import { webhook as webhookText } from '../../strings/sites/webhook.ts';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';
import { extraFields, extraNames } from '../../strings/writing/extra-fields.ts';
import { useWebhookForm } from './use-webhook-form.ts';

/** Name, URL, headers, which of them sign, and the secret. What stops or deletes it is in the menu, which asks first. */
export function Settings({
  webhook,
  edits,
  onSaved,
}: {
  webhook: Integration;
  /** The field to begin in. */
  edits: 'url' | undefined;
  onSaved: () => void;
}) {
  const form = useWebhookForm(webhook);
  const { fields, set, isDirty, save, refused, overtaken, wrong } = form;
  // A field without a place in the form does not compile.
  const {
    name: _name,
    url,
    headers,
    heal_links: heals,
    links,
    fields: requested,
    retry_manual: retries,
    standard_webhooks: standard,
    settings,
    ...others
  } = fields;
  others satisfies Record<string, never>;
  const isWebhook = webhook.kind === 'webhook';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined, { onSuccess: onSaved });
      }}
    >
      <Stack maw={640}>
        {save.error && <Problem error={save.error} names={namesOf(webhook.kind)} />}
        <AddressField
          kind={webhook.kind}
          url={url}
          focused={edits === 'url'}
          onChange={(typed) => set({ url: typed })}
          error={wrong('url') ?? (url === webhook.url ? null : checkUrl(url))}
        />
        <TextInput
          label={text.name}
          description={webhook.kind === 'devto' ? text.nameHintOf('dev.to') : text.nameHint}
          maxLength={200}
          {...word(form, 'name')}
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
        <Advanced
          opened={retries || heals || links === 'live' || standard || requested.length > 0 || headers.length > 0}
        >
          <Checkbox
            label={text.retry}
            description={text.retryHint[isWebhook ? 'webhook' : 'destination']}
            {...tick(form, 'retry_manual')}
          />
          <Checkbox label={text.heal} description={text.healHint} {...tick(form, 'heal_links')} />
          <Checkbox
            label={text.live}
            description={text.liveHint[isWebhook ? 'webhook' : 'destination']}
            checked={links === 'live'}
            // Receivers' URLs of other posts are only known while link healing is on.
            disabled={isWebhook && !heals && links !== 'live'}
            onChange={({ currentTarget }) => set({ links: currentTarget.checked ? 'live' : 'site' })}
          />
          {isWebhook && (
            <>
              <Checkbox label={text.standard} description={text.standardHint} {...tick(form, 'standard_webhooks')} />
              <Checkbox.Group
                label={text.requested}
                description={text.requestedHint}
                value={[...requested]}
                onChange={(names) => set({ fields: names })}
              >
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
                  {extraNames.map((name) => (
                    <Checkbox key={name} value={name} label={extraFields[name]} />
                  ))}
                </SimpleGrid>
              </Checkbox.Group>
              <HeaderRows rows={headers} onChange={(rows) => set({ headers: rows })} />
            </>
          )}
        </Advanced>
        <Overtaken said={overtaken('headers')} />
        {hasWrongHeaders(headers) && (
          <Text size="sm" role="status">
            {text.checks.headersWrong}
          </Text>
        )}
        <Credential webhook={webhook} />
        <AskBeforeLeaving unsaved={isDirty} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={hasWrongHeaders(headers)}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The secret or credential, which is written and never read. */
function Credential({ webhook }: { webhook: Integration }) {
  const [isAsked, setIsAsked] = useState(false);
  const { update } = useWebhookChanges(webhook);
  const { kind, has_secret: isSigned } = webhook;
  const [label, button] =
    kind === 'webhook'
      ? [text.secret, isSigned ? webhookText.rotate.button : webhookText.rotate.set]
      : [destinations[kind].secret, webhookText.rotate.credential.button];
  return (
    <Input.Wrapper label={label} labelElement="div">
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {isSigned ? text.secretSaved : text.noSecretSaved}
        </Text>
        <Button size="xs" variant="default" leftSection={<KeyRound />} onClick={() => setIsAsked(true)}>
          {button}
        </Button>
      </Group>
      {isAsked && (
        <RotateDialog
          webhook={webhook}
          onClose={() => setIsAsked(false)}
          onRotate={(secret) => update({ secret }, webhookText.rotate.done)}
        />
      )}
    </Input.Wrapper>
  );
}
