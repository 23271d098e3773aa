import { ActionIcon, Drawer, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Menu, Moon, Search, Sun } from 'lucide-react';
import { Fragment, useEffect, useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Brand } from '../parts/brand/brand.tsx';
import { SkipLink } from '../parts/focus/skip-link.tsx';
import { docs as text } from '../strings/sites/docs.ts';
import styles from './docs-frame.module.css';
import type { Guide } from './guide.ts';
import { MENU } from './menu.ts';
import { SearchDialog } from './search-dialog.tsx';

interface Place {
  /** The entry that is open. */
  readonly current?: string;
  /** Its sections, where the sidebar lists them. */
  readonly sections?: Guide['sections'];
}

/** The frame of every document: the bar, the sidebar with all pages, and `aside` next to the text. */
export function DocsFrame({ aside, children, ...place }: Place & { aside?: ReactNode; children: ReactNode }) {
  const [menu, { open: openMenu, close: closeMenu }] = useDisclosure();
  const [search, { open: openSearch, close: closeSearch }] = useDisclosure();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isShortcut = event.key === 'k' && (event.metaKey || event.ctrlKey);
      const isSlash = event.key === '/' && !(event.target as Element).matches('input, textarea, [contenteditable]');
      if (!isShortcut && !isSlash) return;
      event.preventDefault();
      // The next key may follow before React would render: its letter belongs into the search.
      flushSync(openSearch);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [openSearch]);
  const sidebar = useRef<HTMLElement>(null);
  useEffect(() => {
    const open = sidebar.current?.querySelector<HTMLElement>('[aria-current]');
    // Only the sidebar scrolls: the page may be on its way to a section.
    if (!open || !sidebar.current) return;
    const { bottom } = sidebar.current.getBoundingClientRect();
    if (open.getBoundingClientRect().bottom > bottom)
      sidebar.current.scrollTop = open.offsetTop - sidebar.current.clientHeight / 3;
  }, []);
  return (
    <>
      <SkipLink />
      <header className={styles['bar']}>
        <ActionIcon
          className={styles['onPhones'] ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={text.openMenu}
          aria-expanded={menu}
          onClick={openMenu}
        >
          <Menu />
        </ActionIcon>
        <a href="/docs" className={styles['home']} aria-label={text.home}>
          <Brand /> <span className={styles['docs']}>{text.short}</span>
        </a>
        <button type="button" className={styles['search']} onClick={openSearch}>
          <Search />
          <span>{text.search}</span>
          <kbd aria-hidden>{/mac/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <ThemeButton />
        <a href="/" className={styles['dashboard']}>
          {text.dashboard}
        </a>
      </header>
      <div className={styles['page']}>
        <nav ref={sidebar} className={styles['sidebar']} aria-label={text.navigation}>
          <DocsMenu {...place} />
        </nav>
        <Drawer
          classNames={{ body: styles['drawer'] ?? '' }}
          opened={menu}
          onClose={closeMenu}
          title={text.short}
          size={300}
          closeButtonProps={{ 'aria-label': text.closeMenu }}
        >
          <nav aria-label={text.navigation}>
            <DocsMenu {...place} onOpen={closeMenu} />
          </nav>
        </Drawer>
        <main id="content" tabIndex={-1} className={styles['main']}>
          {children}
        </main>
        {aside}
      </div>
      {search && <SearchDialog onClose={closeSearch} />}
    </>
  );
}

function DocsMenu({ current, sections = [], onOpen }: Place & { onOpen?: () => void }) {
  return MENU.map(({ title, entries }) => (
    <div key={title} role="group" aria-label={title} className={styles['group']}>
      <p aria-hidden>{title}</p>
      {entries.map((entry) => (
        <Fragment key={entry.name}>
          <a href={`/docs/${entry.name}`} {...(entry.name === current && { 'aria-current': 'page' as const })}>
            {entry.title}
          </a>
          {entry.name === current &&
            sections.map((section) => (
              <a key={section.id} href={`#${section.id}`} className={styles['section']} onClick={onOpen}>
                {section.title}
              </a>
            ))}
        </Fragment>
      ))}
    </div>
  ));
}

function ThemeButton() {
  const scheme = useComputedColorScheme('light');
  const { setColorScheme } = useMantineColorScheme();
  const other = scheme === 'light' ? 'dark' : 'light';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={text.theme[other]}
      onClick={() => setColorScheme(other)}
    >
      {scheme === 'light' ? <Moon /> : <Sun />}
    </ActionIcon>
  );
}
