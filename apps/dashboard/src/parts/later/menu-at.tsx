import { Menu, type MenuProps } from '@mantine/core';
import { useEffect, useImperativeHandle, useState, type ReactNode, type Ref, type RefObject } from 'react';
import type { MenuAnchor } from './use-late-menu.tsx';

/** The menu of a button that is on the page already. */
export function MenuAt(props: {
  anchor: MenuAnchor;
  position: NonNullable<MenuProps['position']>;
  width: number;
  children: ReactNode;
}) {
  const { id, button, opened, onChange } = props.anchor;
  // When a menu closes, it returns the focus to what had it at the opening. One that is mounted open does not know that.
  const [isMounted, setIsMounted] = useState(false);
  useEffect(() => setIsMounted(true), []);
  return (
    <Menu id={id} position={props.position} width={props.width} opened={isMounted && opened} onChange={onChange}>
      <Menu.Target>
        <Existing button={button} />
      </Menu.Target>
      {props.children}
    </Menu>
  );
}

/** Gives Mantine the element that the menu belongs to. */
function Existing({ button, ref }: { button: RefObject<HTMLButtonElement | null>; ref?: Ref<HTMLButtonElement> }) {
  useImperativeHandle(ref, () => button.current!, [button]);
  return null;
}
