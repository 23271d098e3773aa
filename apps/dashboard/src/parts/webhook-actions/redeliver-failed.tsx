import { Button, List, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listDeliveriesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { redeliverFailed } from '../../generated/sdk.gen.ts';
import type { Integration, RedeliverFailedResult } from '../../generated/types.gen.ts';
import { TextInput } from '../forms/inputs.tsx';
import { countFailedPosts } from './count-failed-posts.ts';
import { ConfirmDialog } from '../dialogs/confirm-dialog.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { fromLocalInput, toLocalInput } from '../forms/local-time.ts';
import { notify } from '../notify.ts';
import { common } from '../../strings/common.ts';
import { webhook as page } from '../../strings/sites/webhook.ts';

const text = page.redeliver;
const DAY_MS = 24 * 3_600_000;

/** Sends each post again that the receiver has missed since a time: since it fails, if it does. */
export function RedeliverFailed({ webhook, onClose }: { webhook: Integration; onClose: () => void }) {
  const queries = useQueryClient();
  const [since, setSince] = useState(() =>
    toLocalInput(webhook.failing_since ?? new Date(Date.now() - DAY_MS).toISOString()),
  );
  const [result, setResult] = useState<RedeliverFailedResult | null>(null);
  const from = fromLocalInput(since);
  const log = useQuery({
    ...listDeliveriesOptions({
      path: { projectId: webhook.project_id },
      query: { integration_id: webhook.id, since: from ?? '', limit: 100 },
    }),
    enabled: from !== null,
  });
  // Of more than a page, the service alone knows.
  const failed = log.data?.next_cursor === null ? countFailedPosts(log.data.items) : undefined;
  const run = async () => {
    if (from === null) return;
    const { data } = await redeliverFailed({
      path: { projectId: webhook.project_id, integrationId: webhook.id },
      body: { since: from },
      throwOnError: true,
    });
    void queries.invalidateQueries({ queryKey: [{ _id: 'listDeliveries' }] });
    notify.done(text.done(data.created));
    if (data.refused.length > 0 || data.more) setResult(data);
    else onClose();
  };
  if (result !== null) {
    return (
      <Dialog opened onClose={onClose} title={text.done(result.created)}>
        <Stack>
          {result.refused.length > 0 && (
            <>
              <Text size="sm">{text.refused}</Text>
              <List size="sm">
                {result.refused.map(({ delivery_id, detail }) => (
                  <List.Item key={delivery_id}>{detail}</List.Item>
                ))}
              </List>
            </>
          )}
          {result.more && <Text size="sm">{text.more}</Text>}
          <Button onClick={onClose}>{common.close}</Button>
        </Stack>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      opened
      keepOpen
      title={text.title}
      confirm={text.confirm}
      disabled={from === null || failed === 0}
      onConfirm={run}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{text.text}</Text>
        <TextInput
          type="datetime-local"
          label={text.since}
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
        />
        <Text size="sm" role="status">
          {failed !== undefined && text.count(failed)}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}
