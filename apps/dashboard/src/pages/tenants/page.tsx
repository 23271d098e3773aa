import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Building2, SearchX } from 'lucide-react';
import { Alone } from '../../parts/alone.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PageTurner } from '../../parts/lists/page-turner.tsx';
import { SearchField } from '../../parts/lists/search-field.tsx';
import { ToCome } from '../../parts/loading.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { Section } from '../../parts/section.tsx';
import { useSession } from '../../session/session.ts';
import { tenants as text } from '../../strings/tenants.ts';
import { ParkedEvents } from './parked-events.tsx';
import { TENANT_SORTS, type TenantsSearch, type TenantSort } from './search.ts';
import { TenantsTable } from './tenants-table.tsx';
import { useTenants } from './use-tenants.ts';

/** Every project, for administrators: who uses how much, what fails, and what is stopped. */
export function Page() {
  const session = useSession();
  if (!('account' in session)) return null;
  const back = (
    <Button component={Link} to="/account" variant="default" leftSection={<ArrowLeft />}>
      {text.back}
    </Button>
  );
  return (
    <Alone wide>
      {session.account.is_administrator ? (
        <PageFrame title={text.title} description={text.description} actions={back}>
          <Section title={text.parked}>
            <ParkedEvents />
          </Section>
          <Projects />
        </PageFrame>
      ) : (
        <PageFrame title={text.title} description={text.only} actions={back} />
      )}
    </Alone>
  );
}

function Projects() {
  const search = useSearch({ from: '/tenants' });
  const navigate = useNavigate({ from: '/tenants' });
  const { rows, sort, isEmpty, isPending, error, refetch, next, isFetching } = useTenants(search);
  const show = (to: TenantsSearch) => void navigate({ search: to, replace: true });
  const { cursor: _cursor, ...first } = search;
  return (
    <Section title={text.projects}>
      <Group gap="sm">
        <SearchField
          label={text.search}
          hint={text.searchHint}
          given={search.q ?? ''}
          onSearch={(q) => {
            const { q: _q, ...rest } = first;
            show(q === '' ? rest : { ...rest, q });
          }}
        />
        <NativeSelect
          aria-label={text.sort}
          value={sort}
          onChange={(event) => show({ ...first, sort: event.currentTarget.value as TenantSort })}
          data={TENANT_SORTS.map((value) => ({
            value,
            label: text.sorts[value],
            disabled: search.q !== undefined && (value === 'requests' || value === 'failing'),
          }))}
        />
      </Group>
      {isPending || error !== null ? (
        <ToCome query={{ isPending, error, refetch }} />
      ) : isEmpty ? (
        <Nothing search={search} sort={sort} onClear={() => show({})} />
      ) : (
        <Stack gap="sm">
          <TenantsTable rows={rows} />
          <Text size="sm" c="dimmed">
            {text.period}
          </Text>
        </Stack>
      )}
      <PageTurner
        key={JSON.stringify(first)}
        cursor={search.cursor}
        next={next}
        loading={isFetching}
        onTurn={(cursor) => show(cursor === undefined ? first : { ...first, cursor })}
      />
    </Section>
  );
}

function Nothing({ search, sort, onClear }: { search: TenantsSearch; sort: TenantSort; onClear: () => void }) {
  const clear = (
    <Button variant="default" onClick={onClear}>
      {text.clear}
    </Button>
  );
  if (search.q !== undefined) return <EmptyState icon={SearchX} title={text.noneFound} action={clear} />;
  if (sort === 'failing') return <EmptyState icon={Building2} title={text.noneFailing} action={clear} />;
  if (sort === 'requests') return <EmptyState icon={Building2} title={text.noneRead} action={clear} />;
  return (
    <EmptyState icon={Building2} title={text.none}>
      {text.noneText}
    </EmptyState>
  );
}
