import { Button, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { signOut, useSession } from '../session/session.ts';
import { timeZone } from '../parts/dates.ts';
import { Icon } from '../parts/looks/icon.tsx';
import { common } from '../strings/common.ts';
import { docs } from '../strings/sites/docs.ts';

export function AccountMenu() {
  const session = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const email = 'account' in session ? session.account.email : '';
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" />} style={{ flexShrink: 0 }}>
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
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={common.colours}
          value={colorScheme}
          onChange={(value) => setColorScheme(value)}
          data={[
            { value: 'light', label: common.light },
            { value: 'dark', label: common.dark },
            { value: 'auto', label: common.asDevice },
          ]}
        />
        <Menu.Divider />
        <Menu.Item renderRoot={(props) => <Link to="/account" {...props} />}>{common.yourAccount}</Menu.Item>
        <Menu.Item component="a" href="/docs">
          {docs.both}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{common.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
