import { Button, Menu, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { listProjectsInfiniteOptions } from '../../generated/@tanstack/react-query.gen.ts';
import type { Project } from '../../generated/types.gen.ts';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import styles from './shell.module.css';

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
          px={8}
          justify="space-between"
          leftSection={<Initial project={current} />}
          rightSection={<ChevronsUpDown />}
          aria-label={`${common.project}: ${current.name}`}
          styles={{ root: { minWidth: 0, flexShrink: 1 }, label: { flex: 1 } }}
        >
          <Text span inherit truncate>
            {current.name}
          </Text>
        </Button>
      </Menu.Target>
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
    </Menu>
  );
}

/** White can be read on each. */
const TILES = ['#0f766e', '#7c3aed', '#b45309', '#be185d', '#1d4ed8', '#4d7c0f', '#b42318', '#475569'];

/** The first letter of a project’s name, on a color that stays the project’s own. */
function Initial({ project }: { project: Pick<Project, 'id' | 'name'> }) {
  const tile = TILES[Number.parseInt(project.id.slice(0, 8), 16) % TILES.length];
  return (
    <span
      className={styles['initial']}
      data-initial={[...project.name][0]?.toUpperCase()}
      style={{ '--tile': tile } as React.CSSProperties}
    />
  );
}
