import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Integration } from '../../generated/types.gen.ts';
import { destinations } from '../../strings/sites/destinations.ts';
import { webhook as texts } from '../../strings/sites/webhook.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { PasswordInput } from '../forms/inputs.tsx';
import { checkSecret } from '../webhook-form/check-webhook.ts';
import { SecretField } from '../webhook-form/secret-field.tsx';

const text = texts.rotate;

/** Another signing secret for a receiver, or another credential for a system that posts are written into. */
export function RotateDialog(props: {
  webhook: Integration;
  onClose: () => void;
  onRotate: (secret: string) => Promise<unknown>;
}) {
  const { webhook, onClose, onRotate } = props;
  const { kind, has_secret: isSigned } = webhook;
  const [secret, setSecret] = useState('');
  const isReceiver = kind === 'webhook';
  const asks = isSigned
    ? { title: text.title, confirm: text.confirm, text: text.text }
    : { title: text.setTitle, confirm: text.setConfirm, text: text.first };
  const { title, confirm, text: words } = isReceiver ? asks : { confirm: text.credential.button, ...text.credential };
  return (
    <ConfirmDialog
      opened
      title={title}
      confirm={confirm}
      danger={isSigned}
      disabled={secret === '' || (isReceiver && checkSecret(secret) !== null)}
      onConfirm={() => onRotate(secret)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{words}</Text>
        {isReceiver ? (
          <SecretField value={secret} onChange={setSecret} />
        ) : (
          <PasswordInput
            label={destinations[kind].secret}
            description={destinations[kind].secretHint}
            maxLength={500}
            value={secret}
            onChange={({ currentTarget }) => setSecret(currentTarget.value)}
            autoComplete="off"
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
