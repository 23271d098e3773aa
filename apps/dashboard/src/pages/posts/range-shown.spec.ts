import { countOf, rangeShown } from './range-shown.ts';

describe('the range of posts above the list', () => {
  it('has the first, the last and the total', () => {
    expect(rangeShown(12, 1, 50, 12)).toBe('1–12 of 12');
    expect(rangeShown(50, 1, 50, 502)).toBe('1–50 of 502');
    expect(rangeShown(2, 11, 50, 502)).toBe('501–502 of 502');
  });

  it('says that none match', () => {
    expect(rangeShown(0, 1, 50, 0)).toBe('No posts match');
  });

  it('never has a total below its last post, when the list is newer than the counts', () => {
    expect(rangeShown(13, 1, 50, 12)).toBe('1–13 of 13');
  });
});

describe('the number on a tab', () => {
  const counts = { total: 9, draft: 1, published: 5, unpublished: 3, scheduled: 2, changed: 4, tags: [] };

  it('is that of its state, or the total', () => {
    expect(countOf(counts, undefined)).toBe(9);
    expect(countOf(counts, 'changed')).toBe(4);
    expect(countOf(counts, 'published')).toBe(1);
  });
});
