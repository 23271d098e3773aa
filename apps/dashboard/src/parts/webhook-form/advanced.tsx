import { Stack } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { destinations } from '../../strings/sites/destinations.ts';
import styles from './advanced.module.css';

/** Folds away what few need, until some of it is given: `opened`. */
export function Advanced(props: { opened?: boolean; title?: string; children: ReactNode }) {
  const { opened = false, title = destinations.advanced, children } = props;
  const [isOpen, setIsOpen] = useState(opened);
  useEffect(() => {
    if (opened) setIsOpen(true);
  }, [opened]);
  return (
    <details
      className={styles['advanced']}
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        <ChevronRight />
        {title}
      </summary>
      <Stack mt="sm">{children}</Stack>
    </details>
  );
}
