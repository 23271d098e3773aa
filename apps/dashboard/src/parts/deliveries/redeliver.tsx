import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { redeliverDelivery } from '../../generated/sdk.gen.ts';
import { deliveries } from '../../strings/sites/deliveries.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { notify } from '../notify.ts';
import { OwnersOnly, useProject } from '../project.tsx';

const text = deliveries.redeliver;

/** Sends a delivery’s post to its destination once more, and opens the new delivery. One that has it already asks first. */
export function Redeliver(props: {
  deliveryId: string;
  /** It failed. */
  primary?: boolean;
  /** Whether the page stays: what is there shows the outcome, too. */
  stays?: boolean;
  /** Among the details of one destination. */
  compact?: boolean;
}) {
  const { deliveryId, primary = false, stays = false, compact = !primary } = props;
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const run = async () => {
    const { data } = await redeliverDelivery({ path: { projectId, deliveryId }, throwOnError: true });
    void queries.invalidateQueries({ queryKey: [{ _id: 'listDeliveries' }] });
    notify.done(text.done);
    if (stays) return;
    const params = { projectId, deliveryId: data.id };
    await navigate({ to: '/projects/$projectId/webhooks/deliveries/$deliveryId', params });
  };
  const resend = async () => {
    setIsSending(true);
    await run().catch((error) => notify.failed(error));
    setIsSending(false);
  };
  return (
    <OwnersOnly>
      <Button
        variant={primary ? 'filled' : 'default'}
        {...(compact && { size: 'xs' })}
        leftSection={<RotateCw />}
        loading={isSending}
        onClick={primary ? () => void resend() : () => setAsked(true)}
      >
        {text.button}
      </Button>
      {asked && (
        <ConfirmDialog opened title={text.title} confirm={text.confirm} onConfirm={run} onClose={() => setAsked(false)}>
          <Text size="sm">{text.text}</Text>
        </ConfirmDialog>
      )}
    </OwnersOnly>
  );
}
