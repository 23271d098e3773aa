import { useLayoutEffect, type RefObject } from 'react';
import { placeBar, placeMenu } from './place-menu.ts';

/** The part of the window that a menu belongs to. */
type Target = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>;

/**
 * Keeps a menu below the caret, or a bar above its block, wherever the page scrolls. `target` is asked at each draw;
 * null leaves the menu where it is.
 */
export function usePlace(
  frame: RefObject<HTMLElement | null>,
  kind: 'menu' | 'bar' | 'block-bar',
  target: (() => Target | null) | null,
): void {
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || target === null) return;
    const place = () => {
      const at = target();
      if (at === null) return;
      if (kind === 'menu') element.style.maxHeight = '';
      const { width, height } = element.getBoundingClientRect();
      const size = { width: window.innerWidth, height: window.innerHeight };
      if (kind === 'menu') {
        const { top, left, maxHeight } = placeMenu(at, { width, height }, size);
        Object.assign(element.style, { top: `${top}px`, left: `${left}px`, maxHeight: `${maxHeight}px` });
      } else {
        const { top, left } = placeBar(at, { width, height }, size, kind === 'bar' ? 'center' : 'start');
        Object.assign(element.style, { top: `${top}px`, left: `${left}px` });
      }
    };
    place();
    const follow = (event: Event) => event.target !== element && place();
    // Also of what scrolls around the text.
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow, { capture: true });
      window.removeEventListener('resize', follow);
    };
  });
}
