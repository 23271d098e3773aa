import { Checkbox, Group, Radio, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createWebhookMutation } from '../../generated/@tanstack/react-query.gen.ts';
import type { IntegrationCreateRequest } from '../../generated/types.gen.ts';
import { AddressField } from '../../parts/webhook-form/address-field.tsx';
import { checkSecret, checkUrl, fromRows, type HeaderRow } from '../../parts/webhook-form/check-webhook.ts';
import { DestinationFields } from '../../parts/webhook-form/destination-fields.tsx';
import {
  DESTINATION_KINDS,
  type DestinationKind,
  type DestinationParts,
  destinationRequest,
} from '../../parts/webhook-form/destination-request.ts';
import { HeaderRows } from '../../parts/webhook-form/header-rows.tsx';
import { SecretField } from '../../parts/webhook-form/secret-field.tsx';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { fieldErrors } from '../../parts/explain-error.ts';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { destinations, webhookForm as text, webhooks } from '../../strings/sites/webhooks.ts';

/** What the form asks for of a webhook: all but what is left as it comes, to be changed on the webhook's own page. */
type CreateRequest = Required<
  Omit<Extract<IntegrationCreateRequest, { kind?: 'webhook' }>, 'kind' | 'active' | 'heal_links' | 'settings'>
>;

/** Adds a webhook, or a direct integration, and opens it, to be tested. */
export function AddWebhook({ onClose }: { onClose: () => void }) {
  const { id: projectId } = useProject();
  const navigate = useNavigateFromHere();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [standard, setStandard] = useState(false);
  const [headers, setHeaders] = useState<readonly HeaderRow[]>([]);
  const [kind, setKind] = useState<'webhook' | DestinationKind>('webhook');
  const [parts, setParts] = useState<DestinationParts>({ secret: '', settings: {} });
  const create = useMutation({
    ...createWebhookMutation(),
    onSuccess: async ({ id: integrationId }) => {
      notify.done(text.added);
      void queries.invalidateQueries({ queryKey: [{ _id: 'listWebhooks' }] });
      await navigate({
        to: '/projects/$projectId/webhooks/$integrationId',
        params: { projectId, integrationId },
        // What was typed is saved.
        ignoreBlocker: true,
      });
    },
  });
  const refused = create.error ? fieldErrors(create.error) : {};
  const secretProblem = kind === 'webhook' ? checkSecret(secret) : null;
  const hasTyped =
    [name, url, secret, parts.secret, ...Object.values(parts.settings)].some((typed) => typed !== '') ||
    standard ||
    headers.length > 0;
  const choose = (chosen: typeof kind) => {
    setKind(chosen);
    // A credential is for the system that it was typed for.
    setParts({ secret: '', settings: {} });
  };
  const request = (): IntegrationCreateRequest => {
    const given = { name, url: url.trim() };
    if (kind !== 'webhook') return destinationRequest(kind, given, parts);
    const signing = { secret: secret === '' ? null : secret, standard_webhooks: standard };
    return { ...given, ...signing, headers: fromRows(headers) } satisfies CreateRequest;
  };
  return (
    <FormDialog
      title={text.addTitle}
      size="lg"
      confirm={webhooks.add}
      disabled={secretProblem !== null}
      hasTyped={hasTyped}
      sending={create}
      onSubmit={() => {
        if (secretProblem === null) create.mutate({ path: { projectId }, body: request() });
      }}
      onClose={onClose}
    >
      <AskBeforeLeaving unsaved={hasTyped} />
      <Radio.Group label={destinations.kind} value={kind} onChange={choose}>
        <Group gap="md" mt="xs">
          <Radio value="webhook" label={destinations.webhook} data-autofocus />
          {DESTINATION_KINDS.map((each) => (
            <Radio key={each} value={each} label={destinations[each].label} />
          ))}
        </Group>
      </Radio.Group>
      <AddressField
        kind={kind}
        url={url}
        onChange={setUrl}
        // The service has the last word on an address, so this does not hold the form up.
        error={refused['url'] ?? checkUrl(url)}
      />
      <TextInput
        label={text.name}
        description={text.nameHint}
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refused['name']}
      />
      {kind === 'webhook' ? (
        <>
          <SecretField value={secret} onChange={setSecret} error={refused['secret']} />
          <Checkbox
            label={text.standard}
            description={text.standardHint}
            checked={standard}
            onChange={({ currentTarget }) => setStandard(currentTarget.checked)}
          />
          <HeaderRows rows={headers} onChange={setHeaders} />
        </>
      ) : (
        <DestinationFields kind={kind} parts={parts} onChange={setParts} refused={refused} />
      )}
    </FormDialog>
  );
}
