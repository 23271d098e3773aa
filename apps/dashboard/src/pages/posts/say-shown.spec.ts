import { sayShown } from './say-shown.ts';

const page = (length: number, next_cursor: string | null = null) => ({ items: Array(length).fill({}), next_cursor });

describe('what is said of the posts that are shown', () => {
  it('is how many there are where all are shown, and that none matches', () => {
    expect(sayShown(page(12))).toBe('12 posts.');
    expect(sayShown(page(1))).toBe('1 post.');
    expect(sayShown(page(0))).toBe('No post matches');
  });

  it('is how many stand on the page where there are others', () => {
    expect(sayShown(page(50, 'next'))).toBe('The first 50 posts. There are more on the next page.');
    expect(sayShown(page(50, 'next'), 'here')).toBe('50 posts on this page. There are more on the next page.');
    expect(sayShown(page(5), 'here')).toBe('The last 5 posts.');
  });
});
