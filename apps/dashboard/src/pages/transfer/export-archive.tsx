import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { exportProject, exportProjectWithWebhooks } from '../../generated/sdk.gen.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { RadioCards } from '../../parts/looks/radio-cards.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { listWebhooksForExport } from './list-webhooks-for-export.ts';
import { fileNameOf, saveFile } from './save-file.ts';

type Format = keyof typeof text.exportFormats;

const FORMATS = ['written', 'markdown', 'html'] as const;
const MEBIBYTE = 1024 * 1024;

/** Fetches the archive, which a link could not: it needs the session’s token. */
export function ExportArchive() {
  const { id: projectId } = useProject();
  const [bytes, setBytes] = useState(0);
  const [format, setFormat] = useState<Format>('written');
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const run = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      abort.current = controller;
      setBytes(0);
      const { signal } = controller;
      const request = {
        path: { projectId },
        query: { format },
        parseAs: 'stream',
        signal,
        throwOnError: true,
      } as const;
      const webhooks = await listWebhooksForExport(projectId, signal);
      const { data, response } =
        webhooks === null
          ? await exportProject(request)
          : await exportProjectWithWebhooks({ ...request, body: { webhooks } });
      const stream = data as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
      const counted = stream.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, to) {
            setBytes((before) => before + chunk.length);
            to.enqueue(chunk);
          },
        }),
      );
      // The browser keeps a large blob on its disk.
      const archive = await new Response(counted, { headers: { 'Content-Type': 'application/zip' } }).blob();
      const name = fileNameOf(response) ?? 'export.zip';
      saveFile(archive, name);
      notify.done(text.exported);
      return { hasWebhooks: webhooks !== null };
    },
  });
  const stopped = abort.current?.signal.aborted === true;
  return (
    <Stack gap="sm">
      <Text c="dimmed">{text.exportText}</Text>
      {run.error && !stopped && <Problem error={run.error} onRetry={() => run.mutate()} />}
      {run.data?.hasWebhooks === false && (
        <Notice kind="warning" title={text.withoutWebhooks}>
          {text.withoutWebhooksHint}
        </Notice>
      )}
      <RadioCards
        label={text.exportFormat}
        value={format}
        disabled={run.isPending}
        onChange={setFormat}
        cards={FORMATS.map((value) => ({
          value,
          label: text.exportFormats[value],
          hint: text.exportHints[value],
        }))}
      />
      <Group>
        <Button leftSection={<Download />} onClick={() => run.mutate()} disabled={run.isPending}>
          {text.exportStart}
        </Button>
        {run.isPending && (
          <>
            <Button variant="default" onClick={() => abort.current?.abort()}>
              {text.exportStop}
            </Button>
            <Loader size="sm" aria-hidden />
            <Text size="sm" role="status">
              {text.exporting((bytes / MEBIBYTE).toFixed(1))}
            </Text>
          </>
        )}
      </Group>
    </Stack>
  );
}
