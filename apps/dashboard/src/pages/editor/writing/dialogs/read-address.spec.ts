import { readAddress } from './read-address.ts';

describe('the address of a link', () => {
  it.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['example.com/a', 'https://example.com/a'],
    ['example.com:8080', 'https://example.com:8080'],
    [' //example.com ', 'https://example.com'],
    ['someone@example.com', 'mailto:someone@example.com'],
    ['#part', '#part'],
    ['/about', '/about'],
    ['tel:+49123', 'tel:+49123'],
  ])('takes %s as %s', (typed, href) => expect(readAddress(typed)).toBe(href));

  it.each(['', '   ', 'javascript:alert(1)', 'data:text/html,x', 'just words', 'file:///etc'])(
    'does not take %j',
    (typed) => expect(readAddress(typed)).toBeNull(),
  );
});
