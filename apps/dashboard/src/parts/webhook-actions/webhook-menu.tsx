import { Menu, Text } from '@mantine/core';
import { KeyRound, Pause, Play, RotateCw, ShieldOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Integration } from '../../generated/types.gen.ts';
import { webhook as text } from '../../strings/sites/webhook.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { RowMenu } from '../lists/row-menu.tsx';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { useWebhookChanges } from './use-webhook-changes.ts';

type Action = 'rotate' | 'unsign' | 'pause' | 'delete' | 'redeliver';

/** The less common actions of a webhook, behind “⋯”. Each asks first. */
export function WebhookMenu({ webhook, label }: { webhook: Integration; label: string }) {
  const [action, setAction] = useState<Action | null>(null);
  const { update, pause, resume, remove } = useWebhookChanges(webhook);
  const { active, kind, has_secret: isSigned } = webhook;
  const ask = (asked: Action) => () => setAction(asked);
  const secretAction = isSigned ? text.rotate.button : text.rotate.set;
  const close = () => setAction(null);
  return (
    <>
      <RowMenu label={label}>
        {active && (
          <Menu.Item leftSection={<RotateCw />} onClick={ask('redeliver')}>
            {text.redeliver.button}
          </Menu.Item>
        )}
        {active ? (
          <Menu.Item leftSection={<Pause />} onClick={ask('pause')}>
            {text.pause.button}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<Play />} onClick={resume}>
            {text.pause.resume}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<KeyRound />} onClick={ask('rotate')}>
          {kind === 'webhook' ? secretAction : text.rotate.credential.button}
        </Menu.Item>
        {isSigned && kind === 'webhook' && (
          <Menu.Item leftSection={<ShieldOff />} onClick={ask('unsign')}>
            {text.rotate.remove}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<Trash2 />} onClick={ask('delete')}>
          {text.remove.button}
        </Menu.Item>
      </RowMenu>
      {action === 'redeliver' && <RedeliverFailed webhook={webhook} onClose={close} />}
      {action === 'rotate' && (
        <RotateDialog webhook={webhook} onClose={close} onRotate={(secret) => update({ secret }, text.rotate.done)} />
      )}
      <ConfirmDialog
        opened={action === 'unsign'}
        title={text.rotate.removeTitle}
        confirm={text.rotate.remove}
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
        onConfirm={pause}
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
