import { Anchor, Group, Text, Title } from '@mantine/core';
import { FileText, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** The first visit to an empty list: a drawing, a sentence, the first step, and a link to the guide. */
export function EmptyState(props: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  /** One button. */
  action?: ReactNode;
  guide?: { readonly href: string; readonly label: string };
}) {
  const { icon: Icon = FileText, title, children, action, guide } = props;
  return (
    <div className={styles['empty']}>
      <span className={styles['drawing']}>
        <Icon />
      </span>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children !== undefined && (
        <Text c="dimmed" maw={480}>
          {children}
        </Text>
      )}
      {(action || guide) && (
        <Group justify="center" gap="md" mt="xs">
          {action}
          {guide && <Anchor href={guide.href}>{guide.label}</Anchor>}
        </Group>
      )}
    </div>
  );
}
