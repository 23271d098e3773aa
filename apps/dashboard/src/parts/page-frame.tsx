import { Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ComponentProps, type ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { common } from '../strings/common.ts';
import { ToCome } from './loading.tsx';
import { PageLink } from './page-link.tsx';

/** The frame of every page: its one `<h1>`, a sentence below it, its actions beside it, and the window’s title. */
export function PageFrame(props: {
  title: string;
  /** Above the title: the link to the list that this is part of. */
  back?: ReactNode;
  /** Beside the title, such as a badge. */
  state?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** For a page that is one form. */
  narrow?: boolean;
  children?: ReactNode;
}) {
  const { title, back, state, description, actions, narrow = false, children } = props;
  useEffect(() => {
    document.title = `${title} · ${common.product}`;
  }, [title]);
  return (
    <Stack gap="lg" maw={narrow ? 640 : undefined}>
      <div>
        {back !== undefined && <Group mb={4}>{back}</Group>}
        <Group justify="space-between" align="center" gap="sm">
          <Group gap="xs" miw={0} mih={32}>
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {state}
          </Group>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {description !== undefined && (
          <Text c="dimmed" mt={{ base: 12, sm: 4 }} maw={760} component="div">
            {description}
          </Text>
        )}
      </div>
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
