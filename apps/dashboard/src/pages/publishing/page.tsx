import { Box, Button, Group, NativeSelect, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { listPublishesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Publish } from '../../generated/types.gen.ts';
import { PageTurner } from '../../parts/lists/page-turner.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { TableHead } from '../../parts/lists/table-head.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton, PageLink } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { When } from '../../parts/when.tsx';
import { publishing as text } from '../../strings/sites/publishing.ts';
import { sayReceivers } from './count-receivers.ts';
import { PublishState } from './publish-state.tsx';
import type { PublishingSearch } from './search.ts';

const PAGE_SIZE = 25;

export function Page() {
  const { id: projectId } = useProject();
  const { trigger, post, cursor } = useSearch({ from: '/projects/$projectId/publishing' });
  const navigate = useNavigate({ from: '/projects/$projectId/publishing' });
  const list = useQuery({
    ...listPublishesOptions({ path: { projectId }, query: { limit: PAGE_SIZE, trigger, blog_id: post, cursor } }),
    placeholderData: keepPreviousData,
  });
  const items = list.data?.items ?? [];
  const narrowed = trigger !== undefined || post !== undefined || cursor !== undefined;
  const show = (search: PublishingSearch) => void navigate({ search });
  return (
    <PageFrame title={text.title}>
      <Text>{text.intro}</Text>
      <Group align="flex-end">
        <NativeSelect
          label={text.trigger}
          value={trigger ?? ''}
          onChange={({ currentTarget: { value } }) =>
            show({ post, trigger: value === 'manual' || value === 'autopilot' ? value : undefined })
          }
          data={[
            { value: '', label: text.all },
            { value: 'manual', label: text.manual },
            { value: 'autopilot', label: text.autopilot },
          ]}
        />
        {post !== undefined && (
          <Group gap="xs">
            <Text size="sm">{text.ofPost}</Text>
            <Button size="xs" variant="default" onClick={() => show({ trigger })}>
              {text.showAll}
            </Button>
          </Group>
        )}
      </Group>
      <ToCome query={list} />
      {items.length > 0 && <Publishes items={items} />}
      {list.data && items.length === 0 && (
        <EmptyState
          title={narrowed ? text.noMatchTitle : text.noneTitle}
          action={
            narrowed ? (
              <Button onClick={() => show({})}>{text.showAll}</Button>
            ) : (
              <PageButton to="/projects/$projectId/posts" params={{ projectId }}>
                {text.toPosts}
              </PageButton>
            )
          }
        >
          {narrowed ? undefined : text.noneText}
        </EmptyState>
      )}
      <PageTurner
        key={`${trigger} ${post}`}
        cursor={cursor}
        next={list.data?.next_cursor}
        loading={list.isPlaceholderData}
        onTurn={(to) => show({ trigger, post, cursor: to })}
      />
    </PageFrame>
  );
}

function Publishes({ items }: { items: readonly Publish[] }) {
  return (
    <Table aria-label={text.table}>
      <TableHead columns={[text.columnPost, text.columnStatus, text.columnReceivers, text.columnWhen]} />
      <Table.Tbody>
        {items.map((publish) => (
          <Table.Tr key={publish.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <PageLink
                fw={500}
                to="/projects/$projectId/publishing/$publishId"
                params={{ projectId: publish.project_id, publishId: publish.id }}
              >
                {publish.blog_title || text.deletedPost}
              </PageLink>
              <Text size="xs" c="dimmed">
                {publish.trigger === 'manual' ? text.byManual : text.byAutopilot}
              </Text>
              <Box hiddenFrom="sm" mt={4}>
                <PublishState publish={publish} />
                <Text size="xs" mt={4}>
                  <Receivers publish={publish} />, <When iso={publish.requested_at} />
                </Text>
              </Box>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <PublishState publish={publish} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Receivers publish={publish} />
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <When iso={publish.requested_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Receivers({ publish }: { publish: Publish }) {
  const { deliveries, status } = publish;
  return deliveries.length === 0 && status === 'pending' ? text.pending : sayReceivers(deliveries);
}
