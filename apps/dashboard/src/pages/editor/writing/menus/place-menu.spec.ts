import { placeBar, placeMenu } from './place-menu.ts';

const WINDOW = { width: 1280, height: 800 };
const MENU = { width: 240, height: 320 };
const caret = (top: number, left = 300) => ({ top, bottom: top + 20, left });

describe('placeMenu', () => {
  it('opens the menu below the caret', () => {
    expect(placeMenu(caret(100), MENU, WINDOW)).toEqual({ top: 126, left: 300, maxHeight: 320 });
  });

  it('flips the menu above the caret at the bottom of the window', () => {
    expect(placeMenu(caret(700), MENU, WINDOW)).toEqual({ top: 374, left: 300, maxHeight: 320 });
  });

  it('stays below the caret while there is room for most of the menu', () => {
    expect(placeMenu(caret(510), MENU, WINDOW)).toEqual({ top: 536, left: 300, maxHeight: 256 });
    expect(placeMenu(caret(526), MENU, WINDOW)).toMatchObject({ top: 552, maxHeight: 240 });
    expect(placeMenu(caret(527), MENU, WINDOW).top).toBeLessThan(527);
  });

  it('shortens the menu where neither side has room for it', () => {
    expect(placeMenu(caret(150), MENU, { width: 1280, height: 300 })).toMatchObject({ top: 8, maxHeight: 136 });
  });

  it('keeps the menu within the window sideways', () => {
    expect(placeMenu(caret(100, 1200), MENU, WINDOW).left).toBe(1032);
    expect(placeMenu(caret(100, -5), MENU, WINDOW).left).toBe(8);
  });
});

describe('placeBar', () => {
  const BAR = { width: 300, height: 36 };
  const target = (top: number, left = 400) => ({ top, bottom: top + 24, left, right: left + 100 });

  it('is placed above the middle of its target', () => {
    expect(placeBar(target(300), BAR, WINDOW)).toEqual({ top: 258, left: 300 });
  });

  it('goes below where the editor’s own bar is above', () => {
    expect(placeBar(target(60), BAR, WINDOW).top).toBe(90);
  });

  it('starts at the start of a block', () => {
    expect(placeBar(target(300), BAR, WINDOW, 'start').left).toBe(400);
  });

  it('stays in the window beside a block that is taller than it', () => {
    expect(placeBar({ ...target(-500), bottom: 2_000 }, BAR, WINDOW).top).toBe(756);
  });
});
