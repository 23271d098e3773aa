import { Menu, Progress, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { FileInput, List } from 'lucide-react';
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
import { RowMenu } from '../../parts/lists/row-menu.tsx';
import { Row, Rows } from '../../parts/lists/rows.tsx';
import { Badge, type Tone } from '../../parts/looks/badge.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { transfer as text } from '../../strings/transfer.ts';
import { ReportItem } from './report-item.tsx';

const TONES: Readonly<Record<keyof typeof text.status, Tone>> = {
  ...{ waiting: 'neutral', created: 'success', updated: 'accent', skipped: 'neutral', failed: 'danger' },
};

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
      {items.length > 0 && (
        <Rows label={text.runs}>
          {items.map((job) => (
            <Run key={job.id} job={job} onShow={() => setShown(job)} />
          ))}
        </Rows>
      )}
      <LoadMore list={imports} />
      {shown !== null && <FilesDialog job={shown} onClose={() => setShown(null)} />}
    </Stack>
  );
}

function Run({ job, onShow }: { job: ImportJob; onShow: () => void }) {
  const done = job.files - job.waiting;
  const isRunning = job.status === 'running';
  const when = formatDateTime(job.created_at);
  return (
    <Row
      icon={FileInput}
      title={
        <>
          <When iso={job.created_at} />
          {isRunning ? (
            <Badge tone="accent">{text.running}</Badge>
          ) : (
            <Badge tone={job.failed > 0 ? 'warning' : 'success'}>{text.finished}</Badge>
          )}
        </>
      }
      note={
        <>
          {isRunning ? text.progress(done, job.files) : text.result(job)}
          {isRunning && (
            <Progress
              mt={6}
              size={4}
              value={job.files === 0 ? 100 : (done / job.files) * 100}
              aria-label={text.progress(done, job.files)}
            />
          )}
        </>
      }
      actions={
        <RowMenu label={text.actionsOf(when)}>
          <Menu.Item leftSection={<List />} onClick={onShow}>
            {text.showFiles}
          </Menu.Item>
          {!isRunning && <ReportItem importId={job.id} />}
        </RowMenu>
      }
    />
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
                  <Table.Td w={100} style={{ verticalAlign: 'top' }}>
                    <Badge tone={TONES[file.status]}>{text.status[file.status]}</Badge>
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
