import { slug } from '@blog-content/payload-schemas';
import { numberedSlug, slugify } from './slugify.ts';

describe('slugs made from titles (contract “Slugs”)', () => {
  it.each([
    ['Tea & Coffee', 'tea-coffee'],
    ['  What’s new?  ', 'whats-new'],
    ['Crème brûlée', 'creme-brulee'],
    ['Straße nach Köln', 'strasse-nach-koln'],
    ['Ærø, Łódź', 'aero-lodz'],
    ['Привет, мир', 'privet-mir'],
    ['Καλημέρα', 'kalimera'],
    ['100 % ﬁne', '100-fine'],
    ['𝐇𝐞𝐥𝐥𝐨 World', 'hello-world'],
    ['№ 5 Chanel', 'no-5-chanel'],
    ['ℝeal', 'real'],
    ['20 ℃ water', '20-c-water'],
    ['İstanbul', 'istanbul'],
    ['Tea™ and Cups℠', 'tea-and-cups'],
    ['日本語', 'post'],
    ['!!!', 'post'],
    ['--a--', 'a'],
  ])('%p → %s', (title, expected) => {
    expect(slugify(title)).toBe(expected);
  });

  it('is at most 200 characters and does not end in a hyphen', () => {
    expect(slugify('a'.repeat(300))).toBe('a'.repeat(200));
    expect(slugify(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
  });

  it('numbers a clash -2, -3, … within 200 characters', () => {
    expect([1, 2, 3].map((attempt) => numberedSlug('tea', attempt))).toEqual(['tea', 'tea-2', 'tea-3']);
    const long = numberedSlug('a'.repeat(200), 12);
    expect(long).toBe(`${'a'.repeat(197)}-12`);
    expect(slug.safeParse(long).success).toBe(true);
  });
});
