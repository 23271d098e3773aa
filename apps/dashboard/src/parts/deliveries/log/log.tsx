import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { listDeliveriesOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Integration } from '../../../generated/types.gen.ts';
import { webhookLog as text } from '../../../strings/sites/webhook-log.ts';
import { EmptyState } from '../../empty-state.tsx';
import { PageTurner } from '../../lists/page-turner.tsx';
import { ToCome } from '../../loading.tsx';
import { PageButton } from '../../page-link.tsx';
import { useProject } from '../../project.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { Filters } from './filters.tsx';
import { deliveriesQuery, type DeliveriesSearch } from './search.ts';

const PAGE_SIZE = 25;
/** Only the log knows that an attempt has begun; the stream of events tells of what has ended. */
const LOOK_EVERY_MS = 3_000;

/** The delivery log: its filters, its rows and the way to more of them; of one webhook or of all. */
export function Log(props: {
  search: DeliveriesSearch;
  /** The only one whose deliveries it shows. */
  of?: string;
  webhooks?: readonly Integration[] | undefined;
  onShow: (search: DeliveriesSearch) => void;
}) {
  const { search, of, webhooks, onShow } = props;
  const { id: projectId } = useProject();
  const query = deliveriesQuery({ ...search, ...(of !== undefined && { webhook: of }) }, PAGE_SIZE);
  const list = useQuery({
    ...listDeliveriesOptions({ path: { projectId }, query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.items.some(({ finished_at }) => finished_at === null) && LOOK_EVERY_MS,
  });
  const items = list.data?.items ?? [];
  const { cursor, ...filters } = search;
  const isNarrowed = Object.keys(search).length > 0;
  return (
    <>
      <Filters search={search} {...(of === undefined && { webhooks: webhooks ?? [] })} onChange={onShow} />
      <ToCome query={list} />
      {items.length > 0 && <DeliveriesTable items={items} webhooks={webhooks} ofOne={of !== undefined} />}
      {list.data && items.length === 0 && (
        <EmptyState
          icon={Send}
          title={isNarrowed ? text.noMatchTitle : text.noneTitle}
          action={
            isNarrowed ? (
              <Button onClick={() => onShow({})}>{text.clear}</Button>
            ) : (
              of === undefined && (
                <PageButton to="/projects/$projectId/webhooks" params={{ projectId }}>
                  {text.toWebhooks}
                </PageButton>
              )
            )
          }
        >
          {isNarrowed ? text.noMatchText : text.noneText}
        </EmptyState>
      )}
      <PageTurner
        key={JSON.stringify(filters)}
        cursor={cursor}
        next={list.data?.next_cursor}
        loading={list.isPlaceholderData}
        onTurn={(to) => onShow({ ...filters, ...(to !== undefined && { cursor: to }) })}
      />
    </>
  );
}
