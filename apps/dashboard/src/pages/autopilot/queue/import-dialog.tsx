import { Button, FileButton, Group, List, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { importAutopilotTopics } from '../../../generated/sdk.gen.ts';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { Textarea } from '../../../parts/forms/inputs.tsx';
import { notify } from '../../../parts/notify.ts';
import { Problem } from '../../../parts/problem.tsx';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';
import { common } from '../../../strings/common.ts';

/** Topics from a table, chosen or pasted; afterwards names the rows that were left out. */
export function ImportDialog({ onAdded, onClose }: { onAdded: () => Promise<unknown>; onClose: () => void }) {
  const { id: projectId } = useProject();
  const [csv, setCsv] = useState('');
  const add = useMutation({
    mutationFn: async () => {
      const { data } = await importAutopilotTopics({ path: { projectId }, body: { csv }, throwOnError: true });
      await onAdded();
      notify.done(text.added(data.items.length));
      if (data.skipped.length === 0) onClose();
      return data.skipped;
    },
  });
  const skipped = add.data ?? [];
  if (skipped.length > 0) {
    return (
      <Dialog opened onClose={onClose} title={text.skippedTitle}>
        <Stack>
          <List size="sm" style={{ maxHeight: 300, overflowY: 'auto' }} tabIndex={0}>
            {skipped.map(({ row, message }) => (
              <List.Item key={row}>{text.skipped(row, message)}</List.Item>
            ))}
          </List>
          <Button onClick={onClose}>{common.close}</Button>
        </Stack>
      </Dialog>
    );
  }
  return (
    <Dialog opened onClose={onClose} title={text.importTitle} closable={!add.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{text.importText}</Text>
          {add.error && <Problem error={add.error} names={{ csv: text.importLabel }} />}
          <Group>
            <FileButton
              accept=".csv,text/csv,text/plain"
              onChange={(file) => file && void file.text().then(setCsv, (error: unknown) => notify.failed(error))}
            >
              {(props) => (
                <Button variant="default" leftSection={<FileUp />} {...props}>
                  {text.importFile}
                </Button>
              )}
            </FileButton>
          </Group>
          <Textarea
            label={text.importLabel}
            description={text.importHint}
            autosize
            minRows={4}
            maxRows={12}
            maxLength={200_000}
            value={csv}
            onChange={(event) => setCsv(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={add.isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={csv.trim() === ''}>
              {text.importConfirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
