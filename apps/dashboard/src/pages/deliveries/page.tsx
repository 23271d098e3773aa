import { Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { listDeliveriesOptions, listWebhooksOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { PageTurner } from '../../parts/lists/page-turner.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { webhookLog as text } from '../../strings/sites/webhook-log.ts';
import { DeliveriesTable } from './deliveries-table.tsx';
import { Filters } from './filters.tsx';
import { deliveriesQuery, type DeliveriesSearch } from './search.ts';

const PAGE_SIZE = 25;
/** Only the log knows that an attempt has begun; the stream of events tells of what has ended. */
const LOOK_EVERY_MS = 3_000;

export function Page() {
  const { id: projectId } = useProject();
  const search = useSearch({ from: '/projects/$projectId/webhooks/deliveries' });
  const navigate = useNavigate({ from: '/projects/$projectId/webhooks/deliveries' });
  const webhooks = useQuery(listWebhooksOptions({ path: { projectId }, query: { limit: 100 } }));
  const list = useQuery({
    ...listDeliveriesOptions({ path: { projectId }, query: deliveriesQuery(search, PAGE_SIZE) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.items.some(({ finished_at }) => finished_at === null) && LOOK_EVERY_MS,
  });
  const items = list.data?.items ?? [];
  const show = (next: DeliveriesSearch) => void navigate({ search: next });
  const { cursor, ...filters } = search;
  const narrowed = Object.keys(search).length > 0;
  return (
    <PageFrame title={text.title}>
      <Text>{text.intro}</Text>
      <Filters search={search} webhooks={webhooks.data?.items ?? []} onChange={show} />
      <ToCome query={list} />
      {items.length > 0 && <DeliveriesTable items={items} webhooks={webhooks.data?.items} />}
      {list.data && items.length === 0 && (
        <EmptyState
          title={narrowed ? text.noMatchTitle : text.noneTitle}
          action={
            narrowed ? (
              <Button onClick={() => show({})}>{text.clear}</Button>
            ) : (
              <PageButton to="/projects/$projectId/webhooks" params={{ projectId }}>
                {text.toWebhooks}
              </PageButton>
            )
          }
        >
          {narrowed ? text.noMatchText : text.noneText}
        </EmptyState>
      )}
      <PageTurner
        key={JSON.stringify(filters)}
        cursor={cursor}
        next={list.data?.next_cursor}
        loading={list.isPlaceholderData}
        onTurn={(to) => show({ ...filters, cursor: to })}
      />
    </PageFrame>
  );
}
