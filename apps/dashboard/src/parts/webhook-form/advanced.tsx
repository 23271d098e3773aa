import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { destinations } from '../../strings/sites/destinations.ts';
import { Fold } from '../looks/fold.tsx';

/** Folds away what few people need, until a field has a value: `opened`. */
export function Advanced(props: { opened?: boolean; title?: string; children: ReactNode }) {
  const { opened = false, title = destinations.advanced, children } = props;
  return (
    <Fold title={title} opened={opened}>
      <Stack>{children}</Stack>
    </Fold>
  );
}
