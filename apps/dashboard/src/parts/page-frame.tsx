import { Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { common } from '../strings/common.ts';
import { Problem } from './problem.tsx';

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
export function PageToCome(props: { title: string; query: { error: unknown; refetch: () => Promise<unknown> } }) {
  const { error, refetch } = props.query;
  return (
    <PageFrame title={props.title}>
      {error !== null ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Text role="status">{common.loading}</Text>
      )}
    </PageFrame>
  );
}
