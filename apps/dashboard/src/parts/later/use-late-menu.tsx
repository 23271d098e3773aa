import { useId, useRef, useState, type ComponentType, type RefObject } from 'react';
import { notify } from '../notify.ts';
import { useLate } from './use-late.ts';

/** A button and the state of its menu, for `MenuAt`. */
export interface MenuAnchor {
  readonly id: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
}

/**
 * A menu whose code is loaded after the first paint, or when its button is pointed at or focused. The button gets
 * `target` and stays the same element, so that it keeps the focus when the menu arrives.
 */
export function useLateMenu(load: () => Promise<ComponentType<{ anchor: MenuAnchor }>>) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  const { Component, need } = useLate(load);
  const prepare = () => void need().catch(() => undefined);
  return {
    target: {
      id,
      ref: button,
      'aria-haspopup': 'menu' as const,
      'aria-expanded': opened,
      'aria-controls': opened ? `${id}-dropdown` : undefined,
      'data-expanded': opened || undefined,
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick: () =>
        void need().then(
          () => setOpened(!opened),
          (error: unknown) => notify.failed(error),
        ),
    },
    menu: Component && <Component anchor={{ id, button, opened, onChange: setOpened }} />,
  };
}
