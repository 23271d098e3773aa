import { Button, Checkbox, FileButton, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type DragEvent } from 'react';
import { createImport, planImport } from '../../generated/sdk.gen.ts';
import { idempotencyKey } from '../../parts/idempotency-key.ts';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { FolderButton } from './folder-button.tsx';
import { ImportPlanView } from './import-plan.tsx';

const MEBIBYTE = 1024 * 1024;
/** Most that the API takes. */
const MAX_ARCHIVE_BYTES = 32 * MEBIBYTE;

interface ChosenArchive {
  readonly name: string;
  readonly archive: Blob;
  /** Tells one choice from the next. */
  readonly key: string;
}

/** An archive is chosen, its plan shown, and only then is it imported. */
export function ImportArchive() {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ChosenArchive | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [publish, setPublish] = useState(false);
  const [update, setUpdate] = useState(false);
  const [host, setHost] = useState(false);
  const query = {
    publish: publish ? ('true' as const) : ('false' as const),
    existing: update ? ('update' as const) : ('skip' as const),
    images: host ? ('host' as const) : ('link' as const),
  };
  // One press of the button, however often it has to be sent.
  const key = useRef('');

  const plan = useQuery({
    queryKey: ['import plan', projectId, chosen?.key, publish, update],
    queryFn: async ({ signal }) => {
      if (chosen === null) throw new Error('No archive is chosen.');
      const { data } = await planImport({
        path: { projectId },
        query,
        body: chosen.archive,
        signal,
        throwOnError: true,
      });
      return data;
    },
    enabled: chosen !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: async (archive: Blob) => {
      if (key.current === '') key.current = idempotencyKey();
      const headers = { 'Idempotency-Key': key.current };
      await createImport({ path: { projectId }, query, body: archive, headers, throwOnError: true });
    },
    onSuccess: async () => {
      setChosen(null);
      await queries.invalidateQueries({ queryKey: [{ _id: 'listImports' }] });
      notify.done(text.started);
    },
  });
  const choose = (name: string, archive: Blob) => {
    key.current = '';
    start.reset();
    const tooLarge = archive.size > MAX_ARCHIVE_BYTES;
    setRefusal(tooLarge ? text.tooLarge(MAX_ARCHIVE_BYTES / MEBIBYTE) : null);
    setChosen(tooLarge ? null : { name, archive, key: idempotencyKey() });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) choose(file.name, file);
  };
  return (
    <Stack gap="sm" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Text size="sm">{text.importText}</Text>
      <Group gap="xs">
        <FolderButton onFolder={choose} onRefused={setRefusal} />
        <FileButton accept=".zip,application/zip" onChange={(file) => file && choose(file.name, file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {text.zip}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {text.dropHere}
        </Text>
      </Group>
      {refusal !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {refusal}
        </Text>
      )}
      {chosen !== null && (
        <>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {text.chosen(chosen.name)}
          </Text>
          <Checkbox
            label={text.publish}
            description={text.publishHint}
            checked={publish}
            onChange={(event) => setPublish(event.currentTarget.checked)}
          />
          <Checkbox
            label={text.update}
            description={text.updateHint}
            checked={update}
            onChange={(event) => setUpdate(event.currentTarget.checked)}
          />
          <Checkbox
            label={text.host}
            description={text.hostHint}
            checked={host}
            onChange={(event) => setHost(event.currentTarget.checked)}
          />
          {plan.isPending && (
            <Group gap="xs" role="status">
              <Loader size="sm" aria-hidden /> <Text size="sm">{text.planning}</Text>
            </Group>
          )}
          {plan.error && <Problem error={plan.error} onRetry={() => void plan.refetch()} />}
          {plan.data && <ImportPlanView plan={plan.data} />}
          {start.error && <Problem error={start.error} />}
          {plan.data && (
            <Group>
              <Button
                loading={start.isPending}
                disabled={plan.data.create + plan.data.update === 0}
                onClick={() => start.mutate(chosen.archive)}
              >
                {text.start}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}
