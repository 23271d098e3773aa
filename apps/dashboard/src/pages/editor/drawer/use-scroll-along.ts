import { useEffect, type RefObject } from 'react';

/** The height of the bar above. */
const BAR_PX = 48;

/**
 * Scrolls the drawer along with the page, which has the only scrollbar: down until the drawer’s end is in view, and up
 * until its beginning is. A drawer that is opened far down begins at its top. The page then gets room below the text, as
 * much as it takes to reach the drawer’s end.
 */
export function useScrollAlong(frame: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useEffect(() => {
    const drawer = frame.current;
    const text = drawer?.previousElementSibling;
    if (!isOpen || !drawer || !(text instanceof HTMLElement)) return undefined;
    let [top, room, scrolled] = [BAR_PX, 0, window.scrollY];
    const follow = () => {
      const height = Math.ceil(drawer.getBoundingClientRect().height);
      const hiddenAt = (place: number) => Math.max(0, place + height - window.innerHeight);
      top = Math.min(BAR_PX, Math.max(BAR_PX - hiddenAt(BAR_PX), top + scrolled - window.scrollY));
      scrolled = window.scrollY;
      const end = Math.max(scrolled + text.getBoundingClientRect().bottom - room, BAR_PX + height);
      room = Math.max(0, hiddenAt(top) + scrolled + window.innerHeight - end);
      drawer.style.setProperty('--top', `${top}px`);
      text.style.setProperty('--room', `${room}px`);
    };
    const resized = new ResizeObserver(follow);
    resized.observe(drawer);
    window.addEventListener('scroll', follow, { passive: true });
    return () => {
      resized.disconnect();
      window.removeEventListener('scroll', follow);
      text.style.removeProperty('--room');
    };
  }, [frame, isOpen]);
}
