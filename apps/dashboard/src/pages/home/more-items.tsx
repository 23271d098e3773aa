import { Menu } from '@mantine/core';
import { ListChecks } from 'lucide-react';
import { MenuAt } from '../../parts/later/menu-at.tsx';
import type { MenuAnchor } from '../../parts/later/use-late-menu.tsx';
import { useProject } from '../../parts/project.tsx';
import { setup as text } from '../../strings/sites/setup.ts';
import { setSetupGuide, useSetupGuide } from './setup/visibility.ts';

export function MoreItems({ anchor }: { anchor: MenuAnchor }) {
  const { id: projectId } = useProject();
  const isShown = useSetupGuide(projectId) === 'open';
  return (
    <MenuAt anchor={anchor} position="bottom-end" width={200}>
      <Menu.Dropdown>
        <Menu.Item leftSection={<ListChecks />} onClick={() => setSetupGuide(projectId, isShown ? 'hidden' : 'open')}>
          {isShown ? text.hide : text.title}
        </Menu.Item>
      </Menu.Dropdown>
    </MenuAt>
  );
}
