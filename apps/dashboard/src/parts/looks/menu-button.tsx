import { Burger } from '@mantine/core';
import { common } from '../../strings/common.ts';

/** Opens and closes the menu with the id `menu`, in windows too narrow to show it. */
export function MenuButton({ opened, onClick }: { opened: boolean; onClick: () => void }) {
  return (
    <Burger
      opened={opened}
      onClick={onClick}
      hiddenFrom="sm"
      size="sm"
      aria-label={common.openMenu}
      aria-expanded={opened}
      aria-controls="menu"
    />
  );
}
