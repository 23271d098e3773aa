import { Button, Text } from '@mantine/core';
import { ChevronsUpDown } from 'lucide-react';
import { useLateMenu } from '../../parts/later/use-late-menu.tsx';
import { useProject } from '../../parts/project.tsx';
import { common } from '../../strings/common.ts';
import { Initial } from './initial.tsx';

export function ProjectSwitcher() {
  const project = useProject();
  const { target, menu } = useLateMenu(async () => (await import('./menus.tsx')).ProjectItems);
  return (
    <>
      <Button
        variant="default"
        px={8}
        justify="space-between"
        leftSection={<Initial project={project} />}
        rightSection={<ChevronsUpDown />}
        aria-label={`${common.project}: ${project.name}`}
        styles={{ root: { minWidth: 0, flexShrink: 1 }, label: { flex: 1 } }}
        {...target}
      >
        <Text span inherit truncate>
          {project.name}
        </Text>
      </Button>
      {menu}
    </>
  );
}
