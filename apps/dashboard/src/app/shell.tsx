import { AppShell, Group, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { MenuButton } from '../parts/looks/menu-button.tsx';
import { common } from '../strings/common.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import styles from './shell.module.css';

/** Header, menu and content of a project’s pages. */
export function Shell({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <a href="#content" className={styles['skip']}>
          {common.skip}
        </a>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <MenuButton opened={opened} onClick={toggle} />
            <ProjectSwitcher />
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        aria-label={common.navigation}
        id="menu"
        {...(!opened && { className: styles['closed'] })}
      >
        <AppShell.Section grow component={ScrollArea}>
          <Navigation onNavigate={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} miw={0}>
        <OfflineNotice />
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
