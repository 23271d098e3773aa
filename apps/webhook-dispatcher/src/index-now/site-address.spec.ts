import { addressOf, keyFileUrl } from './site-address.ts';

describe('the address of a post on a site', () => {
  it('is where links lead, when no receiver says where the post lives', () => {
    expect(addressOf('https://site.example/', 'tea', [])).toBe('https://site.example/blog/tea/');
    expect(addressOf('https://site.example/en', 'tea', [])).toBe('https://site.example/en/blog/tea/');
  });

  it('is written as an address, not as HTML', () => {
    expect(addressOf("https://site.example/a&b'c", 'grüner tee', [])).toBe(
      "https://site.example/a&b'c/blog/gr%C3%BCner%20tee/",
    );
  });

  it('is the first that receivers say, of those below the site’s address', () => {
    const live = ['https://elsewhere.example/tea', 'https://site.example/en/tea', 'https://site.example/en/tea-2'];
    expect(addressOf('https://site.example/en/', 'tea', live)).toBe('https://site.example/en/tea');
  });

  it.each([
    'http://site.example/en/tea',
    'https://site.example.evil.example/en/tea',
    'https://site.example:8443/en/tea',
    'https://site.example/english/tea',
    'https://site.example/en/../private',
    'no address',
  ])('is not %s, which is not below it', (url) => {
    expect(addressOf('https://site.example/en', 'tea', [url])).toBe('https://site.example/en/blog/tea/');
  });

  it('is in the folder of the key file, as the protocol asks', () => {
    expect(keyFileUrl('https://site.example/en/', 'abc')).toBe('https://site.example/en/abc.txt');
  });
});
