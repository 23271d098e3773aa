/** Between a menu and what it belongs to, and between the menu and the window's edge, in pixels. */
const GAP = 6;
const MARGIN = 8;
/** A menu with this much room below the caret opens there: above, it would cover the text. */
const ENOUGH = 240;
/** The editor's own bar, which nothing covers. */
const BAR = 48;

interface Size {
  readonly width: number;
  readonly height: number;
}
interface Place {
  readonly top: number;
  readonly left: number;
  readonly maxHeight: number;
}

/**
 * Where a menu opens in the window: below the caret, or above it where there is little room below and more above. It
 * never leaves the window; what does not fit scrolls.
 */
export function placeMenu(
  caret: { readonly top: number; readonly bottom: number; readonly left: number },
  menu: Size,
  window: Size,
): Place {
  const below = window.height - MARGIN - (caret.bottom + GAP);
  const above = caret.top - GAP - MARGIN;
  const isBelow = below >= Math.min(menu.height, ENOUGH) || below >= above;
  const height = Math.min(menu.height, Math.max(0, isBelow ? below : above));
  return {
    top: isBelow ? caret.bottom + GAP : caret.top - GAP - height,
    left: within(caret.left, menu, window),
    maxHeight: height,
  };
}

/** Where a bar is placed: above its target, or below it at the top of the window. */
export function placeBar(
  target: { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number },
  bar: Size,
  window: Size,
  align: 'start' | 'center' = 'center',
): { readonly top: number; readonly left: number } {
  const above = target.top - GAP - bar.height;
  const below = Math.min(target.bottom + GAP, window.height - MARGIN - bar.height);
  return {
    top: above >= BAR + GAP ? above : Math.max(BAR + GAP, below),
    left: within(align === 'start' ? target.left : (target.left + target.right - bar.width) / 2, bar, window),
  };
}

const within = (left: number, { width }: Size, window: Size) =>
  Math.max(MARGIN, Math.min(left, window.width - MARGIN - width));
