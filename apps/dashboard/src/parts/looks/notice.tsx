import { Alert, Group } from '@mantine/core';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const KINDS = {
  info: { color: 'accent', Icon: Info },
  success: { color: 'green', Icon: CircleCheck },
  warning: { color: 'yellow', Icon: TriangleAlert },
  danger: { color: 'red', Icon: CircleAlert },
} as const;

/**
 * A card that leads with what happened, then says why, and ends with the buttons that fix it. Within a live region,
 * which says it anyway, its role is `group`.
 */
export function Notice(props: {
  kind: keyof typeof KINDS;
  title?: ReactNode;
  role?: 'alert' | 'group';
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const { kind, title, role = 'alert', actions, children } = props;
  const { color, Icon } = KINDS[kind];
  return (
    <Alert role={role} color={color} title={title} icon={<Icon />}>
      {children}
      {actions !== undefined && actions !== false && (
        <Group gap="xs" mt="xs">
          {actions}
        </Group>
      )}
    </Alert>
  );
}
