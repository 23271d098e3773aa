import { Group, Stack, Title } from '@mantine/core';
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { common } from '../strings/common.ts';
import { ToCome } from './loading.tsx';

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

/** A page until it has what it is about: that it is loading, or why that has failed. */
export function PageToCome({ title, query }: { title: string } & ComponentProps<typeof ToCome>) {
  return (
    <PageFrame title={title}>
      <ToCome query={query} />
    </PageFrame>
  );
}
