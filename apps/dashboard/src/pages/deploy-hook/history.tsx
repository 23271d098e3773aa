import { Box, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { listDeployHookRequestsOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { DeployHookRequestLog } from '../../generated/types.gen.ts';
import { PageTurner } from '../../parts/lists/page-turner.tsx';
import { Badge } from '../../parts/looks/badge.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { QueryProblem } from '../../parts/problem.tsx';
import { useProject } from '../../parts/project.tsx';
import { Section } from '../../parts/section.tsx';
import { When } from '../../parts/when.tsx';
import { deployHook as text } from '../../strings/sites/deploy-hook.ts';

const PAGE_SIZE = 25;
/** No event of the stream tells of these requests. */
const LOOK_EVERY_MS = 2_000;
const LOOK_SELDOM_MS = 15_000;

/** Requests to the deploy hook and their outcome. */
export function History() {
  const { id: projectId } = useProject();
  const { cursor } = useSearch({ from: '/projects/$projectId/deploy-hook' });
  const navigate = useNavigate({ from: '/projects/$projectId/deploy-hook' });
  const list = useQuery({
    ...listDeployHookRequestsOptions({ path: { projectId }, query: { limit: PAGE_SIZE, cursor } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ finished_at }) => finished_at === null) ? LOOK_EVERY_MS : LOOK_SELDOM_MS,
  });
  const items = list.data?.items ?? [];
  return (
    <Section title={text.history}>
      <Text size="sm" c="dimmed">
        {list.data && items.length === 0 ? text.historyNone : text.historyText}
      </Text>
      <QueryProblem query={list} />
      {items.length > 0 && (
        <Table aria-label={text.table}>
          <TableHead columns={[text.columnWhat, text.columnStatus, text.columnAnswer, text.columnWhen]} />
          <Table.Tbody>
            {items.map((request) => (
              <Table.Tr key={request.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {whatFor(request)}
                  <Said request={request} />
                  <Box hiddenFrom="sm" mt={4}>
                    <Status request={request} /> {answerOf(request)}, <When iso={request.created_at} />
                  </Box>
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Status request={request} />
                </Table.Td>
                <Table.Td visibleFrom="sm">{answerOf(request)}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <When iso={request.created_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <PageTurner
        cursor={cursor}
        next={list.data?.next_cursor}
        loading={list.isPlaceholderData}
        onTurn={(to) => void navigate({ search: to === undefined ? {} : { cursor: to } })}
      />
    </Section>
  );
}

function whatFor({ kind, changes: { published, unpublished, deleted } }: DeployHookRequestLog): string {
  if (kind === 'test') return text.kindTest;
  return [
    ...(published > 0 ? [text.published(published)] : []),
    ...(unpublished > 0 ? [text.unpublished(unpublished)] : []),
    ...(deleted > 0 ? [text.deleted(deleted)] : []),
  ].join(', ');
}

function answerOf({ attempts, status_code }: DeployHookRequestLog): string {
  if (!attempts.some(({ ended_at }) => ended_at !== null)) return '–';
  const answer = String(status_code ?? text.noAnswer);
  return attempts.length > 1 ? `${answer} (${text.attempts(attempts.length)})` : answer;
}

/** Why it failed or what it waits for. */
function Said({ request: { status, attempts, detail, warning, next_attempt_at } }: { request: DeployHookRequestLog }) {
  return (
    <Text size="xs" c="dimmed" component="div">
      {status !== 'succeeded' && detail !== null && <div>{detail}</div>}
      {warning !== null && <div>{warning}</div>}
      {status === 'waiting' && next_attempt_at !== null && (
        <div>
          {attempts.length === 0 ? text.gathering : text.next} <When iso={next_attempt_at} />
        </div>
      )}
    </Text>
  );
}

const TONES = {
  waiting: 'accent',
  in_flight: 'accent',
  succeeded: 'success',
  failed: 'danger',
  superseded: 'neutral',
  cancelled: 'neutral',
} as const;

function Status({ request: { status } }: { request: DeployHookRequestLog }) {
  return <Badge tone={TONES[status]}>{text.statuses[status]}</Badge>;
}
