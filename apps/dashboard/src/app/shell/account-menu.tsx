import { ActionIcon, Menu, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleUserRound, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useSession } from '../../session/session.ts';
import { useSignOut } from '../../session/sign-out.tsx';
import { timeZone } from '../../parts/dates.ts';
import { common } from '../../strings/common.ts';
import styles from './shell.module.css';

export function AccountMenu() {
  const session = useSession();
  const signOut = useSignOut();
  const email = 'account' in session ? session.account.email : '';
  return (
    <Menu position="top-start" width={280}>
      <Menu.Target>
        <button type="button" className={styles['entry']} style={{ minWidth: 0 }} aria-label={common.accountOf(email)}>
          <CircleUserRound />
          <span className={styles['label']}>{email}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="xs" c="dimmed" px="sm" py="xs" style={{ overflowWrap: 'anywhere' }}>
          {email}
          <br />
          {common.timesIn(timeZone())}
        </Text>
        <Menu.Divider />
        <Menu.Item leftSection={<UserRound />} renderRoot={(props) => <Link to="/account" {...props} />}>
          {common.yourAccount}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut />} onClick={signOut}>
          {common.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const THEMES = { light: Sun, dark: Moon, auto: Monitor } as const;

export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = THEMES[colorScheme];
  return (
    <Menu position="top-end" width={160}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={common.theme} title={common.theme}>
          <Icon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          <Menu.RadioItem value="light">{common.light}</Menu.RadioItem>
          <Menu.RadioItem value="dark">{common.dark}</Menu.RadioItem>
          <Menu.RadioItem value="auto">{common.asDevice}</Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
