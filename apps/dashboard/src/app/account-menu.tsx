import { Button, Menu, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.tsx';
import { timeZone } from '../parts/dates.ts';
import { common } from '../strings/common.ts';
import { docs } from '../strings/sites/docs.ts';

export function AccountMenu() {
  const session = useSession();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const email = 'account' in session ? session.account.email : '';
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDown />} style={{ flexShrink: 0 }}>
          {common.account}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" p="xs" style={{ overflowWrap: 'anywhere' }}>
          {email}
          <br />
          {common.timesIn(timeZone())}
        </Text>
        <Menu.Divider />
        <div role="group" aria-label={common.colours}>
          <Menu.Label aria-hidden>{common.colours}</Menu.Label>
          <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
            <Menu.RadioItem value="light">{common.light}</Menu.RadioItem>
            <Menu.RadioItem value="dark">{common.dark}</Menu.RadioItem>
            <Menu.RadioItem value="auto">{common.asDevice}</Menu.RadioItem>
          </Menu.RadioGroup>
        </div>
        <Menu.Divider />
        <Menu.Item renderRoot={(props) => <Link to="/account" {...props} />}>{common.yourAccount}</Menu.Item>
        <Menu.Item component="a" href="/docs">
          {docs.both}
        </Menu.Item>
        <Menu.Item onClick={signOut}>{common.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
