import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Whether something worked, and why not. Within a live region, which says it anyway, its role is `group`. */
export function Outcome(props: { succeeded: boolean; title: string; role?: 'alert' | 'group'; children: ReactNode }) {
  const { succeeded, title, role = 'alert', children } = props;
  return (
    <Alert
      role={role}
      variant="outline"
      color={succeeded ? 'green' : 'red'}
      title={title}
      // Mantine’s own colours of titles have too little contrast on the page’s ground.
      styles={{ title: { color: succeeded ? 'var(--mantine-color-text)' : 'var(--mantine-color-error)' } }}
    >
      {children}
    </Alert>
  );
}
