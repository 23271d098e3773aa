import { DUPLICATE_WINDOW_MS, isReusable } from './is-reusable.ts';

const askedAt = new Date('2026-11-25T12:00:00Z');
const found = (title: string, apartMs: number) => ({
  id: '1',
  url: null,
  title,
  createdAt: new Date(askedAt.getTime() + apartMs),
});
const asked = { title: 'Tea & coffee', askedAt };

describe('§6.7: an existing post with the slug', () => {
  it.each([0, 30_000, DUPLICATE_WINDOW_MS, -DUPLICATE_WINDOW_MS])(
    'is ours if it has the title and was made %i ms apart',
    (apartMs) => {
      expect(isReusable(found('Tea & coffee', apartMs), asked)).toBe(true);
    },
  );

  it.each(['Tea &amp; coffee', ' Tea &  coffee '])('has the same title as %j', (title) => {
    expect(isReusable(found(title, 0), asked)).toBe(true);
  });

  it.each([
    ['Tea', 0],
    ['Tea & coffee', DUPLICATE_WINDOW_MS + 1],
    ['Tea & coffee', -DUPLICATE_WINDOW_MS - 1],
    ['Tea & coffee', Number.NaN],
  ])('is another one: %j, %d ms apart', (title, apartMs) => {
    expect(isReusable(found(title, apartMs), asked)).toBe(false);
  });
});
