import { resolve } from '../test/resolve.ts';

/*
 * A million characters each. What is quadratic anywhere takes hours on one of these and fails by jest's time limit;
 * what is recursive overflows the stack.
 */
const SIZE = 1_000_000;
const fill = (piece: string, before = '', after = '') => before + piece.repeat(Math.ceil(SIZE / piece.length)) + after;

const inputs: Record<string, string> = {
  'opening brackets': fill('['),
  'openers without an end': fill('[INTERNAL:'),
  'openers in capitals and percent': fill('%5BINTERNAL%3A'),
  'openers with prose': fill('[INTERNAL:x '),
  'one opener and spaces': fill(' ', '[INTERNAL:'),
  'one opener and a slug without an end': fill('a', '[INTERNAL:'),
  'halves that find each other': 'x[INTER'.repeat(60_000) + '[INTERNAL:' + 'NAL:'.repeat(60_000),
  'nested links': fill('<a href="[INTERNAL:known]">') + fill('</a>'),
  'nested links without a target': fill('<a href="[INTERNAL:x]">') + fill('</a>'),
  'bare placeholders': fill('[INTERNAL:known]'),
  'a tag of attributes': fill('a=1 ', '<a ', 'href="[INTERNAL:known]">x</a>'),
  'a tag of placeholders': fill('a="[INTERNAL:x]"', '<a ', '>x</a>'),
  'a tag of white space': fill(' ', '<a', 'title="[INTERNAL:x]">'),
  'quotes without an end': fill('<a href="'),
  'tags without an end': fill('<a '),
  'tags within a tag without an end': fill('[<a ', '<x>', "='>"),
  'comments without an end': fill('<!--'),
  'a comment of dashes': fill('-', '<!--[INTERNAL:x]'),
  'raw text without an end': fill('</scrip', '<script>[INTERNAL:x]'),
  'end tags': fill('</a>'),
  'less-than signs': fill('<'),
  'less-than signs and placeholders': fill('<[INTERNAL:x]'),
  'one percent escape, escaped again and again': fill('25', '%', '5BINTERNAL:x]'),
  'percent escapes': fill('%25'),
  'one reference, escaped again and again': fill('amp;', '&amp;', '#91;INTERNAL:x]'),
  'a reference of zeros': fill('0', '&#', '91;INTERNAL:x]'),
  'references without an end': fill('&#9'),
  'semicolons after a reference': fill(';', '&#91;'),
};

describe('a million hostile characters', () => {
  it.each(Object.keys(inputs))('are compiled and resolved: %s', (name) => {
    expect(/\[internal:/i.test(resolve(inputs[name]!))).toBe(false);
  });

  it('are resolved when they are slashes in the site address', () => {
    const siteUrl = `https://site.example${'/'.repeat(200_000)}x`;
    expect(resolve('[INTERNAL:known]', { siteUrl })).toContain('x/blog/known/');
  });
});
