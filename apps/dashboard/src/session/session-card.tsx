import { Alert, Center, Paper, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Brand } from '../parts/brand/brand.tsx';
import { Problem } from '../parts/problem.tsx';

/** The card in the middle of a page that needs no sign-in. */
export function SessionCard({ children }: { children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md" bg="var(--sidebar)">
      <Stack w="100%" maw={400} align="center" gap="lg">
        <Brand />
        <Paper withBorder p="lg" w="100%">
          {children}
        </Paper>
      </Stack>
    </Center>
  );
}

/** Why a form of such a page was refused: in `known`, where the page has words of its own for it. */
export function Refusal({ error, known }: { error: unknown; known: string | null }) {
  if (known !== null) {
    return (
      <Alert color="red" role="alert">
        {known}
      </Alert>
    );
  }
  return error !== null && <Problem error={error} />;
}
