import fc from 'fast-check';
import { resolve } from '../test/resolve.ts';
import { spellsPlaceholder } from '../test/spells-placeholder.ts';

const stripped = (html: string) => html.replace(/<!--[^]*?-->|<\/?[a-z][^>]*>/gi, '');

describe('text that only becomes a placeholder when tags are stripped (contract §2.4.3)', () => {
  it.each([
    ['<p>a <b>[</b>INTERNAL:missing] b</p>', '<p>a <b></b> b</p>'],
    ['<p>[INTER<em>NAL</em>:x]</p>', '<p><em></em></p>'],
    ['<p>[<a href="/y">INTERNAL</a>:known] b</p>', '<p><a href="/y"></a> b</p>'],
    ['<b>%5</b>BINTERNAL:x%5D', '<b></b>x%5D'],
    ['&#<i>91;</i>INTERNAL:x]', '<i></i>'],
    ['[<!-- c -->internal<br />: x ]', '<!-- c --><br />'],
    ['[INTER<b>[INTERNAL:x]</b>NAL:y]', '<b></b>'],
    ['<b>[INTER</b>[INTERNAL:tail]x]', '<b></b><a href="https://site.example/blog/tail/"></a>x]'],
  ])('is broken up in content: %s', (html, resolved) => {
    expect(resolve(html)).toBe(resolved);
  });

  it.each(['<p>[<b>a</b>]</p>', '<p>100 %<br />5B</p>', 'a &amp;<b>#91;</b> [INTERN<i>AL</i>]', '[<a b="INTERNAL:x">'])(
    'is nothing else: %s stays as it is',
    (html) => {
      expect(resolve(html)).toBe(html);
    },
  );

  it('spells no placeholder after stripping the tags of any content', () => {
    const piece = fc.constantFrom(
      ...[
        '[',
        'INTER',
        'NAL',
        ':',
        ']',
        'x',
        '%5B',
        '%',
        '5B',
        '&#91;',
        '&#',
        '91;',
        '&lsqb;',
        '&',
        'INTERNAL:',
        '[INTERNAL:x]',
      ],
      ...['<b>', '</b>', '<i class="[">', '<br>', '<!-- -->', '[INTERNAL:tail]', '[INTERNAL:known]', ' ', '<', '>'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const html = resolve(pieces.join(''));
        expect(spellsPlaceholder(html)).toBe(false);
        expect(spellsPlaceholder(stripped(html))).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });
});
