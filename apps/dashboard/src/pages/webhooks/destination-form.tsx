import { Button, Checkbox, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { createWebhookMutation } from '../../generated/@tanstack/react-query.gen.ts';
import type { IntegrationCreateRequest } from '../../generated/types.gen.ts';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { TextInput } from '../../parts/forms/inputs.tsx';
import { AskBeforeLeaving } from '../../parts/forms/leaving.tsx';
import { useRefusals } from '../../parts/forms/use-refusals.ts';
import { useNavigateFromHere } from '../../parts/navigate-from-here.ts';
import { notify } from '../../parts/notify.ts';
import { useProject } from '../../parts/project.tsx';
import { AddressField } from '../../parts/webhook-form/address-field.tsx';
import { Advanced } from '../../parts/webhook-form/advanced.tsx';
import {
  checkSecret,
  checkUrl,
  fromRows,
  hasWrongHeaders,
  type HeaderRow,
} from '../../parts/webhook-form/check-webhook.ts';
import { DestinationFields } from '../../parts/webhook-form/destination-fields.tsx';
import {
  type DestinationKind,
  type DestinationParts,
  destinationRequest,
} from '../../parts/webhook-form/destination-request.ts';
import { namesOf } from '../../parts/webhook-form/field-names.ts';
import { HeaderRows } from '../../parts/webhook-form/header-rows.tsx';
import { SecretField } from '../../parts/webhook-form/secret-field.tsx';
import { destinations } from '../../strings/sites/destinations.ts';
import { webhookForm as text } from '../../strings/sites/webhook-form.ts';

export type Kind = 'webhook' | DestinationKind;

/** What the form asks for of a webhook: all but what is left as it comes, to be changed on the webhook's own page. */
type CreateRequest = Required<
  Omit<
    Extract<IntegrationCreateRequest, { kind?: 'webhook' }>,
    'kind' | 'active' | 'heal_links' | 'retry_manual' | 'settings'
  >
>;

/** Adds a destination of a kind, and opens it, to be tested. */
export function DestinationForm(props: { kind: Kind; onBack: () => void; onClose: () => void }) {
  const { kind, onBack, onClose } = props;
  const { id: projectId } = useProject();
  const navigate = useNavigateFromHere();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [standard, setStandard] = useState(false);
  const [headers, setHeaders] = useState<readonly HeaderRow[]>([]);
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
  const refused = useRefusals(create.error, {
    name,
    url,
    secret: kind === 'webhook' ? secret : parts.secret,
    settings: parts.settings,
    headers,
  });
  const secretProblem = kind === 'webhook' ? checkSecret(secret) : null;
  const hasTyped =
    [name, url, secret, parts.secret, ...Object.values(parts.settings)].some((typed) => typed !== '') ||
    standard ||
    headers.length > 0;
  const request = (): IntegrationCreateRequest => {
    const given = { name, url: url.trim() };
    if (kind !== 'webhook') return destinationRequest(kind, given, parts);
    const signing = { secret: secret === '' ? null : secret, standard_webhooks: standard };
    return { ...given, ...signing, headers: fromRows(headers) } satisfies CreateRequest;
  };
  return (
    <FormDialog
      title={destinations[kind].title}
      names={namesOf(kind)}
      size="lg"
      confirm={kind === 'webhook' ? destinations.webhook.confirm : text.connect}
      disabled={secretProblem !== null || hasWrongHeaders(headers)}
      hasTyped={hasTyped}
      sending={create}
      onSubmit={() => {
        create.mutate({ path: { projectId }, body: request() });
      }}
      onClose={onClose}
    >
      <AskBeforeLeaving unsaved={hasTyped} />
      <div>
        <Button size="xs" variant="subtle" leftSection={<ArrowLeft />} disabled={create.isPending} onClick={onBack}>
          {destinations.back}
        </Button>
      </div>
      {kind !== 'webhook' && (
        <Text size="sm" c="dimmed">
          {destinations[kind].intro}
        </Text>
      )}
      <AddressField kind={kind} url={url} focused onChange={setUrl} error={refused['url'] ?? checkUrl(url)} />
      {kind === 'webhook' ? (
        <SecretField optional value={secret} onChange={setSecret} error={refused['secret']} />
      ) : (
        <DestinationFields kind={kind} parts={parts} onChange={setParts} refused={refused} />
      )}
      <TextInput
        label={text.name}
        description={kind === 'devto' ? text.nameHintOf('dev.to') : text.nameHint}
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={refused['name']}
      />
      {kind === 'webhook' && (
        <Advanced>
          <Checkbox
            label={text.standard}
            description={text.standardHint}
            checked={standard}
            onChange={({ currentTarget }) => setStandard(currentTarget.checked)}
          />
          <HeaderRows rows={headers} onChange={setHeaders} />
        </Advanced>
      )}
    </FormDialog>
  );
}
