/** Between the caret and the menu, and between the menu and the window's edge, in pixels. */
const GAP = 4;
const MARGIN = 8;

interface Place {
  readonly top: number;
  readonly left: number;
  readonly maxHeight: number;
}

/**
 * Where a menu opens in the window: below the caret, or above it where there is more room. It never leaves the window;
 * what does not fit scrolls.
 */
export function placeMenu(
  caret: { readonly top: number; readonly bottom: number; readonly left: number },
  menu: { readonly width: number; readonly height: number },
  window: { readonly width: number; readonly height: number },
): Place {
  const below = window.height - MARGIN - (caret.bottom + GAP);
  const above = caret.top - GAP - MARGIN;
  const isBelow = menu.height <= below || below >= above;
  const height = Math.min(menu.height, Math.max(0, isBelow ? below : above));
  return {
    top: isBelow ? caret.bottom + GAP : caret.top - GAP - height,
    left: Math.max(MARGIN, Math.min(caret.left, window.width - MARGIN - menu.width)),
    maxHeight: height,
  };
}
