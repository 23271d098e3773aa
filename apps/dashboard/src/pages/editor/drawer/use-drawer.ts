import { useState, type RefObject } from 'react';

const KEY = 'editor-settings';
/** From this width on, the drawer is beside the text. */
const WIDE = '(min-width: 75em)';

/** Whether the settings are shown: closed at first. Wide windows remember it; on others they would cover the text. */
export function useDrawer(button: RefObject<HTMLElement | null>) {
  const [state, setState] = useState(() => ({
    isOpen: window.matchMedia(WIDE).matches && localStorage.getItem(KEY) === 'open',
    takesFocus: false,
  }));
  const set = (isOpen: boolean, takesFocus: boolean) => {
    if (window.matchMedia(WIDE).matches) localStorage.setItem(KEY, isOpen ? 'open' : 'closed');
    setState({ isOpen, takesFocus });
    if (!isOpen) button.current?.focus();
  };
  return {
    ...state,
    open: () => set(true, false),
    close: () => set(false, false),
    toggle: () => set(!state.isOpen, !state.isOpen),
  };
}
