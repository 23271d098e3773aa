import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteWebhook, updateWebhook } from '../../generated/sdk.gen.ts';
import type { Integration, IntegrationUpdateRequest } from '../../generated/types.gen.ts';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { notify } from '../../parts/notify.ts';
import { checkSecret } from '../../parts/webhook-form/check-webhook.ts';
import { SecretField } from '../../parts/webhook-form/secret-field.tsx';
import { webhook as text } from '../../strings/sites/webhooks.ts';
import { RedeliverFailed } from './redeliver-failed.tsx';

type Action = 'rotate' | 'unsign' | 'pause' | 'delete' | 'redeliver';

/** What changes how the receiver is told; each says first what that means for it. */
export function Actions({ webhook }: { webhook: Integration }) {
  const [action, setAction] = useState<Action | null>(null);
  const { update, remove } = useChanges(webhook);
  const close = () => setAction(null);
  return (
    <>
      <Group gap="xs">
        {webhook.active && (
          <Button size="xs" variant="default" onClick={() => setAction('redeliver')}>
            {text.redeliver.button}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setAction('rotate')}>
          {text.rotate.button}
        </Button>
        {webhook.has_secret && webhook.kind === 'webhook' && (
          <Button size="xs" variant="default" onClick={() => setAction('unsign')}>
            {text.rotate.remove}
          </Button>
        )}
        {webhook.active ? (
          <Button size="xs" variant="default" onClick={() => setAction('pause')}>
            {text.pause.button}
          </Button>
        ) : (
          <Button
            size="xs"
            onClick={() => void update({ active: true }, text.pause.resumed).catch((error) => notify.failed(error))}
          >
            {text.pause.resume}
          </Button>
        )}
        <Button size="xs" variant="light" color="red" onClick={() => setAction('delete')}>
          {text.remove.button}
        </Button>
      </Group>
      {action === 'redeliver' && <RedeliverFailed webhook={webhook} onClose={close} />}
      {action === 'rotate' && (
        <Rotate
          signed={webhook.has_secret}
          onClose={close}
          onRotate={(secret) => update({ secret }, text.rotate.done)}
        />
      )}
      <ConfirmDialog
        opened={action === 'unsign'}
        title={text.rotate.removeTitle}
        confirm={text.rotate.removeConfirm}
        danger
        onConfirm={() => update({ secret: null }, text.rotate.removed)}
        onClose={close}
      >
        <Text size="sm">{text.rotate.removeText}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={action === 'pause'}
        title={text.pause.title}
        confirm={text.pause.confirm}
        onConfirm={() => update({ active: false }, text.pause.done)}
        onClose={close}
      >
        <Text size="sm">{text.pause.text}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={action === 'delete'}
        title={text.remove.title}
        confirm={text.remove.confirm}
        danger
        onConfirm={remove}
        onClose={close}
      >
        <Text size="sm">{text.remove.text}</Text>
      </ConfirmDialog>
    </>
  );
}

/** What is done to the webhook on the service; what shows it is read anew. */
function useChanges({ project_id: projectId, id: integrationId }: Integration) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const read = () =>
    Promise.all(['getWebhook', 'listWebhooks'].map((_id) => queries.invalidateQueries({ queryKey: [{ _id }] })));
  const update = async (body: IntegrationUpdateRequest, done: string) => {
    await updateWebhook({ path: { projectId, integrationId }, body, throwOnError: true });
    await read();
    notify.done(done);
  };
  const remove = async () => {
    await deleteWebhook({ path: { projectId, integrationId }, throwOnError: true });
    // What stands unsaved in its form has gone with it.
    await navigate({ to: '/projects/$projectId/webhooks', params: { projectId }, ignoreBlocker: true });
    notify.done(text.remove.done);
    // Its deliveries in the log are those of a deleted webhook from now on.
    queries.removeQueries({ queryKey: [{ _id: 'getWebhook', path: { integrationId } }] });
    await queries.invalidateQueries({ queryKey: [{ _id: 'listWebhooks' }] });
  };
  return { update, remove };
}

function Rotate(props: { signed: boolean; onClose: () => void; onRotate: (secret: string) => Promise<unknown> }) {
  const [secret, setSecret] = useState('');
  return (
    <ConfirmDialog
      opened
      title={text.rotate.title}
      confirm={text.rotate.confirm}
      danger={props.signed}
      disabled={secret === '' || checkSecret(secret) !== null}
      onConfirm={() => props.onRotate(secret)}
      onClose={props.onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{props.signed ? text.rotate.text : text.rotate.first}</Text>
        <SecretField value={secret} onChange={setSecret} />
      </Stack>
    </ConfirmDialog>
  );
}
