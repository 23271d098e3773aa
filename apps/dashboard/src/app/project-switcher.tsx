import { Button, Menu, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { listProjectsInfiniteOptions } from '../generated/@tanstack/react-query.gen.ts';
import { useProject } from '../parts/project.tsx';
import { common } from '../strings/common.ts';

export function ProjectSwitcher() {
  const current = useProject();
  const projects = useInfiniteQuery({
    ...listProjectsInfiniteOptions({ query: { limit: 100 } }),
    initialPageParam: {},
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 60_000,
  });
  const items = projects.data?.pages.flatMap(({ items }) => items) ?? [current];
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<ChevronDown />}
          aria-label={`${common.project}: ${current.name}`}
          style={{ minWidth: 0, flexShrink: 1 }}
        >
          <Text span inherit truncate>
            {current.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {items.map(({ id, name }) => (
          <Menu.Item
            key={id}
            aria-current={id === current.id || undefined}
            fw={id === current.id ? 700 : undefined}
            renderRoot={(props) => <Link to="/projects/$projectId" params={{ projectId: id }} {...props} />}
          >
            {name}
          </Menu.Item>
        ))}
        {projects.hasNextPage && (
          <Menu.Item closeMenuOnClick={false} onClick={() => void projects.fetchNextPage()}>
            {common.loadMore}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item renderRoot={(props) => <Link to="/new-project" {...props} />}>{common.newProject}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
