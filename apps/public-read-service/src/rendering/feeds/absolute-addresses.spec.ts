import fc from 'fast-check';
import { withAbsoluteAddresses } from './absolute-addresses.ts';

const PAGE = 'https://feed.example/site/blog/tea/';
const absolute = (html: string) => withAbsoluteAddresses(html, PAGE);

describe('URLs of a post in a feed', () => {
  it.each([
    ['<a href="/about/">a</a>', '<a href="https://feed.example/about/">a</a>'],
    ['<a href="../other/">a</a>', '<a href="https://feed.example/site/blog/other/">a</a>'],
    ['<a href="#part">a</a>', '<a href="https://feed.example/site/blog/tea/#part">a</a>'],
    ['<a href="?q=1&amp;r=2">a</a>', '<a href="https://feed.example/site/blog/tea/?q=1&amp;r=2">a</a>'],
    ['<img src="/uploads/cup.png">', '<img src="https://feed.example/uploads/cup.png">'],
    ['<img src="pics/a b.png" />', '<img src="https://feed.example/site/blog/tea/pics/a%20b.png" />'],
    ['<a href="//cdn.example/a">a</a>', '<a href="https://cdn.example/a">a</a>'],
    ["<a href='/x' id=y>a</a>", "<a href='https://feed.example/x' id=y>a</a>"],
    ['<a href=/x id=y>a</a>', '<a href="https://feed.example/x" id=y>a</a>'],
    ['<A HREF = " /x ">a</A>', '<A HREF = "https://feed.example/x">a</A>'],
    [
      '<video src="v.mp4" poster="/p.png"><track src="t.vtt"></video>',
      '<video src="https://feed.example/site/blog/tea/v.mp4" poster="https://feed.example/p.png"><track src="https://feed.example/site/blog/tea/t.vtt"></video>',
    ],
    ['<blockquote cite="/s">q</blockquote>', '<blockquote cite="https://feed.example/s">q</blockquote>'],
    [
      '<img srcset="/uploads/cup.png 1x, /uploads/cup2.png 2x" src="https://x.example/a.png">',
      '<img srcset="https://feed.example/uploads/cup.png 1x, https://feed.example/uploads/cup2.png 2x" src="https://x.example/a.png">',
    ],
    ['<source srcset="a.png,b.png 2x">', '<source srcset="https://feed.example/site/blog/tea/a.png%2Cb.png 2x">'],
    [
      '<source srcset="a.png, b.png 2x">',
      '<source srcset="https://feed.example/site/blog/tea/a.png, https://feed.example/site/blog/tea/b.png 2x">',
    ],
  ])('are absolute: %s', (html, expected) => {
    expect(absolute(html)).toBe(expected);
    expect(absolute(expected)).toBe(expected);
  });

  it.each([
    '<a href="https://x.example/%c3%a9?a=1&b">a</a>',
    '<a href="mailto:a@b.example">a</a> <a href="tel:1">b</a>',
    '<p title="/x" data-src="/y">/z src="/w"</p>',
    '<!-- <a href="/x"> --><style>a{background:url(/x)}</style>',
    '<a href="">a</a><a href>b</a>',
    '<a href="http://[">a</a><a href="//[">b</a>',
    '<img srcset="https://x.example/a.png 1x" src="https://x.example/a.png">',
    'a < b <a',
  ])('stay unchanged: %s', (html) => {
    expect(absolute(html)).toBe(html);
  });

  it('stay unchanged without a site URL', () => {
    expect(withAbsoluteAddresses('<a href="/x">a</a>', '/blog/tea/')).toBe('<a href="/x">a</a>');
  });

  it('do not form a new placeholder', () => {
    expect(absolute('<a href="/x[INTER\nNAL:y]">a</a>')).not.toMatch(/\[INTERNAL:/i);
  });

  it('leave all other characters alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>/"\'= abhref#&;srcset,\n') }), (text) => {
        const html = `<p>${text}`;
        expect(absolute(absolute(html))).toBe(absolute(html));
      }),
      { numRuns: 500 },
    );
  });
});
