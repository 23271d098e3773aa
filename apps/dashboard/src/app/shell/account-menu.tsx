import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { CircleUserRound, Monitor, Moon, Sun } from 'lucide-react';
import { useLateMenu } from '../../parts/later/use-late-menu.tsx';
import { useSession } from '../../session/session.ts';
import { common } from '../../strings/common.ts';
import styles from './shell.module.css';

export function AccountMenu() {
  const session = useSession();
  const email = 'account' in session ? session.account.email : '';
  const { target, menu } = useLateMenu(async () => (await import('./menus.tsx')).AccountItems);
  return (
    <>
      <button
        type="button"
        className={styles['entry']}
        style={{ minWidth: 0 }}
        aria-label={common.accountOf(email)}
        {...target}
      >
        <CircleUserRound />
        <span className={styles['label']}>{email}</span>
      </button>
      {menu}
    </>
  );
}

const THEMES = { light: Sun, dark: Moon, auto: Monitor } as const;

export function ThemeMenu() {
  const Icon = THEMES[useMantineColorScheme().colorScheme];
  const { target, menu } = useLateMenu(async () => (await import('./menus.tsx')).ThemeItems);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={common.theme} title={common.theme} {...target}>
        <Icon />
      </ActionIcon>
      {menu}
    </>
  );
}
