import { AppShell, NavLink, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import styles from '../app/shell.module.css';
import { MenuButton } from '../parts/looks/menu-button.tsx';
import { docs as text } from '../strings/sites/docs.ts';
import { DocsHeader } from './docs-header.tsx';
import { GUIDE_NAMES, type Guide, type GuideName } from './guide.ts';

/** Header, menu and content of a guide; the guide that is open shows its sections in the menu. */
export function DocsFrame({
  current,
  sections = [],
  children,
}: {
  current?: GuideName;
  sections?: Guide['sections'];
  children: ReactNode;
}) {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 280, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <DocsHeader>
          <MenuButton opened={opened} onClick={toggle} />
        </DocsHeader>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={text.navigation} id="menu" {...(!opened && { className: styles['closed'] })}>
        <AppShell.Section grow component={ScrollArea}>
          {GUIDE_NAMES.map((guide) => (
            <div key={guide}>
              <NavLink
                href={`/docs/${guide}`}
                label={text.names[guide]}
                active={guide === current}
                variant="filled"
                aria-current={guide === current ? 'page' : undefined}
              />
              {guide === current &&
                sections.map(({ id, title }) => (
                  <NavLink key={id} href={`#${id}`} label={title} pl="xl" onClick={close} />
                ))}
            </div>
          ))}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} miw={0}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
