import { clientKind, clientName } from './client-name.ts';

describe('what a client is called', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36',
      'Chrome, Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0',
      'Edge, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/19.0 Safari/604',
      'Safari, iOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox, Linux'],
    ['curl/8.5.0', 'curl'],
  ])('%s', (userAgent, name) => {
    expect(clientName(userAgent)).toBe(name);
  });

  it('is nothing where it did not say', () => {
    expect(clientName(null)).toBeNull();
    expect(clientName(' ')).toBeNull();
  });
});

describe('the icon of a session', () => {
  it.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1', 'phone'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'computer'],
    ['curl/8.5.0', 'program'],
    [null, 'program'],
  ])('of %s shows a %s', (userAgent, kind) => {
    expect(clientKind(userAgent)).toBe(kind);
  });
});
