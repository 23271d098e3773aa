import { Anchor, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from '../app/shell.module.css';
import { common } from '../strings/common.ts';
import { docs as text } from '../strings/sites/docs.ts';
import { GUIDE_NAMES } from './guide.ts';

/** What stands in the header of every document. */
export function DocsHeader({ children }: { children?: ReactNode }) {
  const reference = window.location.pathname.replace(/\/$/, '') === '/docs';
  return (
    <>
      <a
        href="#content"
        className={styles['skip']}
        onClick={(event) => {
          // The reference would look for an operation of that name, and show nothing.
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        {common.skip}
      </a>
      <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
        <Group gap="sm" wrap="nowrap" component="nav" aria-label={text.top}>
          {children}
          <Anchor href="/docs" aria-current={reference ? 'page' : undefined} fw={reference ? 700 : 400}>
            {text.reference}
          </Anchor>
          <Anchor href={`/docs/${GUIDE_NAMES[0]}`} fw={reference ? 400 : 700}>
            {text.guides}
          </Anchor>
        </Group>
        <Anchor href="/">{text.dashboard}</Anchor>
      </Group>
    </>
  );
}
