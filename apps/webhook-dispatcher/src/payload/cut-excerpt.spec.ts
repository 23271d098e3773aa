import fc from 'fast-check';
import { cutExcerpt } from './build-payload.ts';

describe('excerpt_short (contract §2.5, §2.4.5)', () => {
  it.each(['', 'Short.', 'x'.repeat(256), `${'word '.repeat(51)}x`])(
    'is the excerpt itself up to 256 characters',
    (excerpt) => {
      expect(cutExcerpt(excerpt)).toBe(excerpt);
    },
  );
  it('is cut at a word boundary, with an ellipsis', () => {
    expect(cutExcerpt('word '.repeat(60).trim())).toBe(`${'word '.repeat(51).trim()}…`);
  });
  it('keeps a word that ends right at the cut', () => {
    expect(cutExcerpt(`${'x'.repeat(255)} more`)).toBe(`${'x'.repeat(255)}…`);
  });
  it('cuts a single endless word', () => {
    expect(cutExcerpt('x'.repeat(300))).toBe(`${'x'.repeat(255)}…`);
  });
  it('counts a character outside the basic plane once, and never cuts one in two', () => {
    expect(cutExcerpt('😀'.repeat(256))).toBe('😀'.repeat(256));
    expect(cutExcerpt('😀'.repeat(257))).toBe(`${'😀'.repeat(255)}…`);
    expect(cutExcerpt('😀😀😀 '.repeat(65))).toBe(`${'😀😀😀 '.repeat(64).trim()}…`);
  });
  it('is at most 256 characters, well formed, and begins as the excerpt does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', '\n', '  ')), { maxLength: 200 }),
        (parts) => {
          const excerpt = parts.join('');
          const short = cutExcerpt(excerpt);
          expect([...short].length).toBeLessThanOrEqual(256);
          expect(short.isWellFormed()).toBe(true);
          expect(excerpt.startsWith(short.replace(/…$/, ''))).toBe(true);
        },
      ),
    );
  });
});
