import { Alert } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

/** Whether something worked, and why not. Within a live region, which says it anyway, its role is `group`. */
export function Outcome(props: { succeeded: boolean; title: string; role?: 'alert' | 'group'; children: ReactNode }) {
  const { succeeded, title, role = 'alert', children } = props;
  return (
    <Alert
      role={role}
      color={succeeded ? 'green' : 'red'}
      title={title}
      icon={succeeded ? <CircleCheck /> : <CircleAlert />}
    >
      {children}
    </Alert>
  );
}
