import fc from 'fast-check';
import { compileContent } from './compile-content.ts';
import { namedSlugs, renamePlaceholders } from './rename-placeholders.ts';
import { placeholderSlugs } from './segment.ts';

const renamed = (text: string, slugs: Record<string, string>) =>
  renamePlaceholders(text, new Map(Object.entries(slugs)));

describe('renaming placeholders', () => {
  it.each([
    ['[INTERNAL:tea]', '[INTERNAL:green-tea]'],
    ['[internal:Tea]', '[internal:green-tea]'],
    ['[INTERNAL: tea\t]', '[INTERNAL: green-tea\t]'],
    ['%5BINTERNAL%3Atea%5D', '%5BINTERNAL%3Agreen-tea%5D'],
    ['%5BINTERNAL:te%61%5D', '%5BINTERNAL:green-tea%5D'],
    ['&#91;INTERNAL&colon;&#116;ea&rsqb;', '&#91;INTERNAL&colon;green-tea&rsqb;'],
    [
      '<a href="[INTERNAL:tea]?a=[b]#c">[INTERNAL:tea]</a>',
      '<a href="[INTERNAL:green-tea]?a=[b]#c">[INTERNAL:green-tea]</a>',
    ],
    ['[tea]([INTERNAL:tea]#how "tea")', '[tea]([INTERNAL:green-tea]#how "tea")'],
    ['[tea]: <[INTERNAL:tea]>', '[tea]: <[INTERNAL:green-tea]>'],
  ])('writes the new slug into %s and keeps its spelling', (before, after) => {
    expect(renamed(before, { tea: 'green-tea' })).toBe(after);
  });

  it('renames all at the same time, so that slugs can be swapped and moved in a circle', () => {
    const text = '[INTERNAL:a] [INTERNAL:b] [INTERNAL:c] [INTERNAL:a]';
    expect(renamed(text, { a: 'b', b: 'c', c: 'a' })).toBe('[INTERNAL:b] [INTERNAL:c] [INTERNAL:a] [INTERNAL:b]');
  });

  it.each([
    '',
    'tea [tea] INTERNAL:tea',
    '[INTERNAL:tea-pot] [INTERNAL:a tea] [INTERNAL:tea',
    '[INTERNAL:TEA&#x200b;]',
    '\ud800[INTERNAL:x]\r\n\0',
  ])('keeps what names another post, or none, byte for byte: %j', (text) => {
    expect(renamed(text, { tea: 'green-tea' })).toBe(text);
  });

  const piece = fc.constantFrom(
    ...['[INTERNAL:', '[internal:A]', '[INTERNAL:b]', '%5BINTERNAL:a%5D', '&#91;INTERNAL:b&#93;', 'INTER', 'NAL:', '['],
    ...[']', '%5B', '%', '25', '&#91', '&#9', '1', ';', '&amp;', '&lsqb', '&colon;', ' ', 'a', 'b', '-', '%61', '&#97'],
    ...['<a href="', '">', '</a>', '"', "'", '<', '>', '<!--', '-->', '`', '('],
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  it('leaves the same placeholders under their new names in any context', () => {
    fc.assert(
      fc.property(text, (before) => {
        const slugs: Record<string, string> = { a: 'b', b: '1-c' };
        const after = renamed(before, slugs);
        expect(namedSlugs(after)).toEqual([...new Set(namedSlugs(before).map((slug) => slugs[slug] ?? slug))]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('finds every slug that compiled content can link to', () => {
    fc.assert(
      fc.property(text, (html) => {
        expect(namedSlugs(html)).toEqual(expect.arrayContaining(placeholderSlugs(compileContent(html))));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['placeholders', '[INTERNAL:a]'],
    ['openers without an end', '[INTERNAL:'],
    ['spaces in a placeholder', ' '],
    ['escapes', '%25'],
    ['brackets', '['],
  ])('takes linear time for a million characters: %s', (_name, unit) => {
    const million = `[INTERNAL:${unit.repeat(1_000_000 / unit.length)}`;
    expect(renamed(million, { a: 'b' })).toHaveLength(million.length);
  });
});
