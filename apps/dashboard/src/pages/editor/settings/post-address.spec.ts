import { isSlug, postAddress, typedSlug } from './post-address.ts';

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
