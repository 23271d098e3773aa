/** How many places are remembered, the newest first. */
const MAX_PLACES = 20;

/** Dialogs, menus and fields that take the focus by themselves have done so by then. */
const SETTLED_AFTER_MS = 100;

interface Place {
  readonly element: HTMLElement;
  readonly path: string;
}

/**
 * Gives the focus a place when the element that had it is removed, hidden, or disabled, as a button is while its
 * request runs. Else the keyboard begins at the top of the page again, and a screen reader says nothing.
 *
 * It goes back to the element once that is enabled, else to the newest place that is still there of the open dialog or
 * the page’s content, else to the whole of that. Typing is not interrupted: a field that disappears then leaves the
 * focus to the whole, where no button takes the next key.
 */
export function keepFocus(): void {
  let places: Place[] = [];
  let disabled: HTMLElement | null = null;
  let isTyping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    places = [{ element: target, path: location.pathname }, ...places].slice(0, MAX_PLACES);
    disabled = null;
    isTyping = false;
  });
  const noteTyping = ({ key, target }: KeyboardEvent) => {
    // Keys that nothing has got are the rest of a word whose field has gone.
    if (!(target instanceof Element) || target === document.body) return;
    isTyping = key.length === 1 && target.matches(':read-write');
  };
  document.addEventListener('keydown', noteTyping, { capture: true });
  // Who points at something else has taken the focus away.
  document.addEventListener('pointerdown', () => (places = []), { capture: true });
  const check = () => {
    timer = undefined;
    const lost = places[0]?.element;
    if (lost === undefined || (document.activeElement ?? document.body) !== document.body) return;
    const stays = isVisible(lost) && (disabled !== lost || lost.matches(':disabled'));
    if (!stays) nextPlace(isTyping ? places.slice(0, 1) : places)?.focus({ preventScroll: true });
  };
  new MutationObserver((records) => {
    for (const { target } of records) {
      if (target === places[0]?.element && places[0].element.matches(':disabled')) disabled = places[0].element;
    }
    timer ??= setTimeout(check, SETTLED_AFTER_MS);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function nextPlace(places: readonly Place[]): HTMLElement | null {
  const room = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].at(-1) ?? document.querySelector('main');
  if (room === null) return null;
  const known = places.find(
    ({ element, path }) =>
      path === location.pathname && room.contains(element) && isVisible(element) && !element.matches(':disabled'),
  );
  if (known) return known.element;
  if (!room.hasAttribute('tabindex')) room.tabIndex = -1;
  return room;
}

function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}
