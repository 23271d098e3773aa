import fc from 'fast-check';
import { spellsPlaceholder } from '../test/spells-placeholder.ts';
import { urlWithoutPlaceholders, withoutPlaceholders } from './plain-texts.ts';

describe('a placeholder that an author writes into plain text (contract §2.4.3)', () => {
  it.each([
    '[INTERNAL:tea]',
    '[internal:Tea]',
    '[INTERNAL: tea ]',
    '%5BINTERNAL:tea%5D',
    '%5bINTERNAL%3Atea%5d',
    '&#91;INTERNAL:tea&#93;',
    '&#x5B;INTERNAL&colon;tea&rsqb;',
    '&lbrack;INTERNAL:tea]',
    '[INTERNAL:no slug]',
    '[INTER[INTERNAL:x]NAL:tea]',
  ])('is taken out of all of them as %s', (placeholder) => {
    const text = `One ${placeholder} two`;
    expect(withoutPlaceholders(text)).toBe('One two');
    expect(withoutPlaceholders(placeholder)).toBe('');
    expect(withoutPlaceholders([text, placeholder, 'plain'])).toEqual(['One two', 'plain']);
  });

  it('makes an address no address, and leaves others with brackets', () => {
    for (const spelling of ['[INTERNAL:a]', '%5Binternal%3Aa%5d', '&#91;INTERNAL:a]'])
      expect(urlWithoutPlaceholders(`https://a.example/${spelling}.png`)).toBeNull();
    for (const url of ['https://a.example/%5B1%5D.png?a[]=1', null]) expect(urlWithoutPlaceholders(url)).toBe(url);
  });

  it('leaves other text as it is, character for character', () => {
    for (const text of [' A  [b] &amp; 100 % INTERNAL: c ', null]) expect(withoutPlaceholders(text)).toBe(text);
    expect(withoutPlaceholders(['', ' d '])).toEqual(['', ' d ']);
  });

  it('leaves none in any spelling in any text', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        'INTERNAL',
        ':',
        ']',
        '[INTERNAL:',
        'INTER',
        'NAL:',
        '%5B',
        '%25',
        '5B',
        '&#91;',
        '&#',
        '91;',
        '&lsqb;',
        '&amp;',
      ],
      ...['x', ' ', '%3A', '&colon;', '%', '&', ';', 'amp;', 'i', 'nternal'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expect(spellsPlaceholder(withoutPlaceholders(pieces.join('')))).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });
});
