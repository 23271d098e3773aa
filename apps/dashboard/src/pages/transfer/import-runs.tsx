import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../../parts/loading.tsx';
import {
  listImportFilesInfiniteOptions,
  listImportsInfiniteOptions,
} from '../../generated/@tanstack/react-query.gen.ts';
import type { ImportJob } from '../../generated/types.gen.ts';
import { formatDateTime } from '../../parts/dates.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { LoadMore } from '../../parts/lists/load-more.tsx';
import { morePages } from '../../parts/lists/more-pages.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { ReportButton } from './report-button.tsx';

/** While an import is under way; it tells no events. */
const POLL_MS = 1_000;

export function ImportRuns() {
  const { id: projectId } = useProject();
  const [shown, setShown] = useState<ImportJob | null>(null);
  const imports = useInfiniteQuery({
    ...listImportsInfiniteOptions({ path: { projectId }, query: { limit: 10 } }),
    ...morePages({ projectId }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'running')) ? POLL_MS : false,
  });
  const items = imports.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack gap="sm">
      <QueryProblem query={imports} />
      {imports.isPending && <Loading />}
      {imports.data && items.length === 0 && (
        <Text size="sm" c="dimmed">
          {text.runsNone}
        </Text>
      )}
      {items.map((job) => {
        const done = job.files - job.waiting;
        return (
          <Stack key={job.id} gap={4}>
            <Group justify="space-between" gap="xs">
              <Text size="sm">
                <b>{job.status === 'running' ? text.running : text.finished}</b>,{' '}
                {text.began(formatDateTime(job.created_at))}
              </Text>
              <Group gap="xs">
                {job.status === 'finished' && <ReportButton importId={job.id} when={formatDateTime(job.created_at)} />}
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`${text.showFiles}: ${formatDateTime(job.created_at)}`}
                  onClick={() => setShown(job)}
                >
                  {text.showFiles}
                </Button>
              </Group>
            </Group>
            {job.status === 'running' && (
              <Progress
                value={job.files === 0 ? 100 : (done / job.files) * 100}
                aria-label={text.progress(done, job.files)}
              />
            )}
            <Text size="sm">
              {job.status === 'running' && `${text.progress(done, job.files)}: `}
              {text.result(job)}
            </Text>
          </Stack>
        );
      })}
      <LoadMore list={imports} />
      {shown !== null && <FilesDialog job={shown} onClose={() => setShown(null)} />}
    </Stack>
  );
}

function FilesDialog({ job, onClose }: { job: ImportJob; onClose: () => void }) {
  const { id: projectId } = useProject();
  const path = { projectId, importId: job.id };
  const files = useInfiniteQuery({
    ...listImportFilesInfiniteOptions({ path, query: { limit: 100 } }),
    ...morePages(path),
    refetchInterval: job.status === 'running' ? POLL_MS * 2 : false,
  });
  const items = files.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Dialog opened onClose={onClose} title={text.filesOf(formatDateTime(job.created_at))} size="lg">
      <Stack>
        <QueryProblem query={files} />
        {files.isPending && <Loading />}
        {items.length > 0 && (
          <Table aria-label={text.filesOf(formatDateTime(job.created_at))} layout="fixed">
            <Table.Tbody>
              {items.map((file) => (
                <Table.Tr key={file.number}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    <Text size="sm">{file.path}</Text>
                    {file.message !== null && <Text size="xs">{file.message}</Text>}
                    {file.blog_id !== null && (
                      <PageLink
                        size="xs"
                        aria-label={`${text.openPost}: ${file.path}`}
                        to="/projects/$projectId/posts/$blogId"
                        params={{ projectId, blogId: file.blog_id }}
                      >
                        {text.openPost}
                      </PageLink>
                    )}
                  </Table.Td>
                  <Table.Td w={90} style={{ verticalAlign: 'top' }}>
                    {text.status[file.status]}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <LoadMore list={files} />
      </Stack>
    </Dialog>
  );
}
