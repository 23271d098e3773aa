import { ActionIcon, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useMatches } from '@tanstack/react-router';
import { BookOpen, ListChecks, Plus, Search } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { setSetupGuide, useSetupGuide } from '../../pages/home/setup/visibility.ts';
import { Brand } from '../../parts/brand/brand.tsx';
import { useProject } from '../../parts/project.tsx';
import { SkipLink } from '../../parts/focus/skip-link.tsx';
import { useNewPost } from '../../parts/posts/use-new-post.ts';
import { common } from '../../strings/common.ts';
import { palette as paletteText } from '../../strings/palette.ts';
import { setup } from '../../strings/sites/setup.ts';
import { OfflineNotice } from '../offline-notice.tsx';
import { SuspensionNotice } from '../suspension-notice.tsx';
import { SHORTCUT, usePalette } from '../palette/use-palette.tsx';
import { AccountMenu, ThemeMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import styles from './shell.module.css';
import { Tabs } from './tabs.tsx';

/** Around a project’s pages: the sidebar, or the bar and tabs of a phone. A route with `bare` has the whole window. */
export function Shell({ children }: { children: ReactNode }) {
  const isBare = useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.bare === true) });
  const [opened, setOpened] = useState(false);
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const menu = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const { open: openPalette, palette } = usePalette();
  const close = () => setOpened(false);
  const toggle = () => {
    setOpened(!opened);
    if (!opened) requestAnimationFrame(() => menu.current?.querySelector<HTMLElement>('a, button')?.focus());
  };
  return (
    <>
      <SkipLink />
      {!isBare && (
        <>
          <header className={styles['head']}>
            <Home />
            <ProjectSwitcher />
            <ActionIcon
              className={styles['onPhones'] ?? ''}
              variant="subtle"
              color="gray"
              size="lg"
              ml="auto"
              aria-label={paletteText.search}
              onClick={openPalette}
            >
              <Search />
            </ActionIcon>
          </header>
          <nav
            id="menu"
            ref={menu}
            className={styles['menu']}
            aria-label={common.navigation}
            data-opened={opened || undefined}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || !opened) return;
              close();
              menuButton.current?.focus();
            }}
          >
            <button
              type="button"
              className={`${styles['entry']} ${styles['search']} ${styles['onWide']}`}
              onClick={openPalette}
            >
              <Search />
              <span className={styles['label']}>{paletteText.search}</span>
              <kbd className={styles['keys']}>{SHORTCUT}</kbd>
            </button>
            <NewPost />
            <Navigation onNavigate={close} />
            <div className={styles['foot']} style={{ flexWrap: 'wrap' }}>
              <Setup onNavigate={close} />
              <a className={styles['entry']} href="/docs">
                <BookOpen />
                <span className={styles['label']}>{common.docs}</span>
              </a>
              <div style={{ display: 'flex', flex: 1, minWidth: 0, alignItems: 'center' }}>
                <AccountMenu />
                <ThemeMenu />
              </div>
            </div>
          </nav>
        </>
      )}
      <main
        id="content"
        tabIndex={-1}
        className={isBare ? styles['bare'] : styles['main']}
        inert={opened && !isWide && !isBare}
      >
        <div {...(!isBare && { className: styles['content'] })}>
          <OfflineNotice />
          <SuspensionNotice />
          {children}
        </div>
      </main>
      {palette}
      {!isBare && <Tabs menuButton={menuButton} opened={opened} onMenu={toggle} onNavigate={close} />}
    </>
  );
}

/** The way back to a guide that was hidden before its end. */
function Setup({ onNavigate }: { onNavigate: () => void }) {
  const { id: projectId } = useProject();
  const visibility = useSetupGuide(projectId);
  if (visibility !== 'hidden') return null;
  return (
    <Link
      className={styles['entry']}
      to="/projects/$projectId"
      params={{ projectId }}
      onClick={() => {
        setSetupGuide(projectId, 'open');
        onNavigate();
      }}
    >
      <ListChecks />
      <span className={styles['label']}>{setup.title}</span>
    </Link>
  );
}

function Home() {
  const { id: projectId } = useProject();
  return (
    <Link to="/projects/$projectId" params={{ projectId }} className={styles['brand']} aria-label={common.product}>
      <span className={styles['onPhones']}>
        <Brand markOnly />
      </span>
      <span className={styles['onWide']}>
        <Brand />
      </span>
    </Link>
  );
}

function NewPost() {
  const { write, isPending } = useNewPost();
  return (
    <Button className={styles['onWide'] ?? ''} leftSection={<Plus />} loading={isPending} onClick={write} mb={4}>
      {common.newPost}
    </Button>
  );
}
