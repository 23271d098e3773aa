import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Send, X } from 'lucide-react';
import { listPublishesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageTurner } from '../../parts/lists/page-turner.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { PageButton } from '../../parts/page-link.tsx';
import { useProject } from '../../parts/project.tsx';
import { publishing as text } from '../../strings/sites/publishing.ts';
import { PublishesTable } from './publishes-table.tsx';
import { BYS, OUTCOMES, queryOf, readPublishingSearch, type PublishingSearch } from './search.ts';

const PAGE_SIZE = 25;

export function Page() {
  const { id: projectId } = useProject();
  const search = useSearch({ from: '/projects/$projectId/publishing' });
  const { by, outcome, post, cursor } = search;
  const navigate = useNavigate({ from: '/projects/$projectId/publishing' });
  const list = useQuery({
    ...listPublishesOptions({ path: { projectId }, query: { ...queryOf(search), limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const items = list.data?.items ?? [];
  const narrowed = Object.keys(search).length > 0;
  const show = (to: PublishingSearch) => void navigate({ search: to });
  /** Another list begins at its first page. */
  const filter = (change: object) => show(readPublishingSearch({ ...search, cursor: undefined, ...change }));
  return (
    <PageFrame title={text.title} description={text.intro}>
      {(narrowed || items.length > 0) && (
        <Group gap="xs">
          <NativeSelect
            aria-label={text.filterState}
            value={outcome ?? ''}
            onChange={({ currentTarget: { value } }) => filter({ outcome: value })}
            data={[
              { value: '', label: text.anyState },
              ...OUTCOMES.map((value) => ({ value, label: text.states[value] })),
            ]}
          />
          <NativeSelect
            aria-label={text.filterBy}
            value={by ?? ''}
            onChange={({ currentTarget: { value } }) => filter({ by: value })}
            data={[{ value: '', label: text.anyone }, ...BYS.map((value) => ({ value, label: text.by[value] }))]}
          />
          {post !== undefined && (
            <Group gap="xs">
              <Text size="sm">{text.ofPost}</Text>
              <Button size="xs" variant="default" leftSection={<X />} onClick={() => filter({ post: undefined })}>
                {text.showAll}
              </Button>
            </Group>
          )}
        </Group>
      )}
      <ToCome query={list} />
      {items.length > 0 && <PublishesTable items={items} />}
      {list.data && items.length === 0 && (
        <EmptyState
          icon={Send}
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
          {...(!narrowed && { guide: { href: '/docs/webhooks', label: text.guide } })}
        >
          {narrowed ? undefined : text.noneText}
        </EmptyState>
      )}
      <PageTurner
        key={`${by} ${outcome} ${post}`}
        cursor={cursor}
        next={list.data?.next_cursor}
        loading={list.isPlaceholderData}
        onTurn={(to) => filter({ cursor: to })}
      />
    </PageFrame>
  );
}
