import { Group, Stack, Title } from '@mantine/core';
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { common } from '../strings/common.ts';
import { ToCome } from './loading.tsx';
import { PageLink } from './page-link.tsx';

/** The frame of every page: its one `<h1>`, its actions beside it, and the window’s title. */
export function PageFrame({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${common.product}`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center" gap="sm">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

/** A page until it has what it is about: that it is loading, or why that has failed; from what is gone a link leads on. */
export function PageToCome({ title, query }: { title: string } & ComponentProps<typeof ToCome>) {
  return (
    <PageFrame title={title}>
      <ToCome query={query} />
      {query.error instanceof ApiError && query.error.status === 404 && (
        <div>
          <PageLink to="/">{common.backHome}</PageLink>
        </div>
      )}
    </PageFrame>
  );
}
