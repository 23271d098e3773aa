import { Anchor, Button, Code, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Alone } from '../parts/alone.tsx';
import { PageFrame } from '../parts/page-frame.tsx';
import { common } from '../strings/common.ts';

export function NotFound() {
  return (
    <PageFrame title={common.notFoundTitle}>
      <Text>{common.notFoundText}</Text>
      <Anchor component={Link} to="/">
        {common.backHome}
      </Anchor>
    </PageFrame>
  );
}

/** The same outside the frame of a project. */
export function NotFoundAlone() {
  return (
    <Alone>
      <NotFound />
    </Alone>
  );
}

/** What is shown in place of a page whose code has thrown. */
export function Crashed({ error }: { error: unknown }) {
  return (
    <Stack p="md" align="flex-start" role="alert">
      <Title order={1}>{common.crashTitle}</Title>
      <Text>{common.crashText}</Text>
      <Code style={{ overflowWrap: 'anywhere' }}>{error instanceof Error ? error.message : String(error)}</Code>
      <Button onClick={() => window.location.reload()}>{common.reload}</Button>
    </Stack>
  );
}
