import { placeMenu } from './place-menu.ts';

const WINDOW = { width: 1280, height: 800 };
const MENU = { width: 240, height: 320 };
const caret = (top: number, left = 300) => ({ top, bottom: top + 20, left });

describe('placeMenu', () => {
  it('opens the menu below the caret', () => {
    expect(placeMenu(caret(100), MENU, WINDOW)).toEqual({ top: 124, left: 300, maxHeight: 320 });
  });

  it('flips the menu above the caret at the bottom of the window', () => {
    expect(placeMenu(caret(700), MENU, WINDOW)).toEqual({ top: 376, left: 300, maxHeight: 320 });
  });

  it('shortens the menu where neither side has room for it', () => {
    expect(placeMenu(caret(150), MENU, { width: 1280, height: 300 })).toMatchObject({ top: 8, maxHeight: 138 });
  });

  it('keeps the menu within the window sideways', () => {
    expect(placeMenu(caret(100, 1200), MENU, WINDOW).left).toBe(1032);
    expect(placeMenu(caret(100, -5), MENU, WINDOW).left).toBe(8);
  });
});
