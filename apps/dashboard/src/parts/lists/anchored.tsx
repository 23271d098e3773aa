import { Menu, Popover } from '@mantine/core';
import { useLayoutEffect, useState, type CSSProperties, type ReactNode, type RefObject } from 'react';

interface AnchoredProps {
  /** What was pressed. It gets the focus back. */
  readonly button: HTMLElement;
  /** The positioned element around the button. */
  readonly place: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One menu for many buttons: a list with a Mantine menu in each row takes three times as long to draw. */
export function AnchoredMenu(props: AnchoredProps & { position?: 'bottom-start' | 'bottom-end' }) {
  const { button, place, label, onClose, children, position = 'bottom-end' } = props;
  const anchor = useAnchor(button, place);
  return (
    anchor && (
      <Menu
        opened
        onChange={closing(button, onClose)}
        position={position}
        width={200}
        // Within the page's landmark, and without an element that is no item.
        withinPortal={false}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <span style={anchor} />
        </Menu.Target>
        <Menu.Dropdown aria-label={label} aria-labelledby={undefined}>
          {children}
        </Menu.Dropdown>
      </Menu>
    )
  );
}

/** The same with a form. */
export function AnchoredPopover({ button, place, label, onClose, children }: AnchoredProps) {
  const anchor = useAnchor(button, place);
  return (
    anchor && (
      <Popover
        opened
        onChange={closing(button, onClose)}
        position="bottom"
        width="min(360px, calc(100vw - 24px))"
        trapFocus
        withinPortal={false}
        middlewares={{ shift: { padding: 12 }, flip: { padding: 12 } }}
      >
        <Popover.Target>
          <span style={anchor} />
        </Popover.Target>
        <Popover.Dropdown aria-label={label} aria-labelledby={undefined}>
          {children}
        </Popover.Dropdown>
      </Popover>
    )
  );
}

const closing = (button: HTMLElement, onClose: () => void) => (opened: boolean) => {
  if (opened) return;
  button.focus();
  onClose();
};

/** An element without a look where the button is. */
function useAnchor(button: HTMLElement, place: RefObject<HTMLElement | null>): CSSProperties | null {
  const [anchor, setAnchor] = useState<CSSProperties | null>(null);
  useLayoutEffect(() => {
    const around = place.current?.getBoundingClientRect();
    if (around === undefined) return;
    const { top, left, width, height } = button.getBoundingClientRect();
    setAnchor({
      position: 'absolute',
      top: top - around.top,
      left: left - around.left,
      width,
      height,
      pointerEvents: 'none',
      visibility: 'hidden',
    });
  }, [button, place]);
  return anchor;
}
