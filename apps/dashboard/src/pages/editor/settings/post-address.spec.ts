import { followsTitle, isSlug, postAddress, slugOfTitle, typedSlug } from './post-address.ts';

describe('the address of a post', () => {
  it('is below the site’s', () => expect(postAddress('https://example.com/', 'a')).toBe('https://example.com/blog/a/'));
  it('is a path where the project has no site', () => expect(postAddress(null, 'a')).toBe('/blog/a/'));
});

describe('a slug that is typed', () => {
  it('has small letters, and hyphens for spaces', () => expect(typedSlug('My  New_Post')).toBe('my-new-post'));
  it('loses what no slug has', () => expect(typedSlug('a/b?ü')).toBe('ab'));
  it('may end in a hyphen while it is typed', () => {
    expect(typedSlug('my ')).toBe('my-');
    expect(isSlug('my-')).toBe(false);
  });
  it('has 200 characters at most', () => expect(typedSlug('a'.repeat(300))).toHaveLength(200));
});

describe('a slug that follows the title', () => {
  it('is made of its Latin letters and digits, without accents', () =>
    expect(slugOfTitle(' Crème brûlée: 3 ways, and Grandma’s! ')).toBe('creme-brulee-3-ways-and-grandmas'));
  it('is numbered where others have it already', () => expect(slugOfTitle('Bread', 2)).toBe('bread-2'));
  it('is left to the service where the title has other letters', () => expect(slugOfTitle('Хлеб')).toBe(''));
  it('follows only a draft’s title, and only where nobody has written another slug', () => {
    const draft = { state: 'draft', title: 'Untitled', slug: 'untitled-7' };
    expect(followsTitle(draft)).toBe(true);
    expect(followsTitle({ ...draft, slug: 'my-own' })).toBe(false);
    expect(followsTitle({ ...draft, state: 'unpublished' })).toBe(false);
  });
});
