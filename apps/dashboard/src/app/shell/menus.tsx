import { Menu, Text, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, LogOut, Plus, UserRound } from 'lucide-react';
import { version } from '../../../package.json';
import { listProjectsInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { timeZone } from '../../parts/dates.ts';
import { MenuAt } from '../../parts/later/menu-at.tsx';
import type { MenuAnchor } from '../../parts/later/use-late-menu.tsx';
import { useProject } from '../../parts/project.tsx';
import { useSession } from '../../session/session.ts';
import { useSignOut } from '../../session/sign-out.tsx';
import { common } from '../../strings/common.ts';
import { Initial } from './initial.tsx';

export function ProjectItems({ anchor }: { anchor: MenuAnchor }) {
  const current = useProject();
  const projects = useInfiniteQuery({
    ...listProjectsInfiniteOptions({ query: { limit: 100 } }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 60_000,
  });
  const items = projects.data?.pages.flatMap(({ items }) => items) ?? [current];
  return (
    <MenuAt anchor={anchor} position="bottom-start" width={280}>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {items.map((project) => (
          <Menu.Item
            key={project.id}
            aria-current={project.id === current.id || undefined}
            leftSection={<Initial project={project} />}
            rightSection={project.id === current.id && <Check />}
            renderRoot={(props) => <Link to="/projects/$projectId" params={{ projectId: project.id }} {...props} />}
          >
            {project.name}
          </Menu.Item>
        ))}
        {projects.hasNextPage && (
          <Menu.Item closeMenuOnClick={false} onClick={() => void projects.fetchNextPage()}>
            {common.loadMore}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<Plus />} renderRoot={(props) => <Link to="/new-project" {...props} />}>
          {common.newProject}
        </Menu.Item>
      </Menu.Dropdown>
    </MenuAt>
  );
}

export function AccountItems({ anchor }: { anchor: MenuAnchor }) {
  const session = useSession();
  const signOut = useSignOut();
  return (
    <MenuAt anchor={anchor} position="top-start" width={280}>
      <Menu.Dropdown>
        <Text size="xs" c="dimmed" px="sm" py="xs" style={{ overflowWrap: 'anywhere' }}>
          {'account' in session && session.account.email}
          <br />
          {common.timesIn(timeZone())}
          <br />
          {common.version(version)}
        </Text>
        <Menu.Divider />
        <Menu.Item leftSection={<UserRound />} renderRoot={(props) => <Link to="/account" {...props} />}>
          {common.yourAccount}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut />} onClick={signOut}>
          {common.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </MenuAt>
  );
}

export function ThemeItems({ anchor }: { anchor: MenuAnchor }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <MenuAt anchor={anchor} position="top-end" width={160}>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          <Menu.RadioItem value="light">{common.light}</Menu.RadioItem>
          <Menu.RadioItem value="dark">{common.dark}</Menu.RadioItem>
          <Menu.RadioItem value="auto">{common.asDevice}</Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </MenuAt>
  );
}
