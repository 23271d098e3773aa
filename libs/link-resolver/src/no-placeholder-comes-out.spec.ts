import fc from 'fast-check';
import { resolve } from '../test/resolve.ts';
import { spellsPlaceholder } from '../test/spells-placeholder.ts';

/** Pieces that, put together at random, make placeholders, nearly make them, and break them. */
const fragment = fc.constantFrom(
  ...['[INTERNAL:', '[internal:known]', '[INTERNAL:x]', '[INTER', 'NAL:', 'INTERNAL:', 'INTERNAL', '[', ']', ':', 'I'],
  ...['%5B', '%5b', '%5', '%', '25', '5B', 'B', '%25', '%3A', '%5D', '%49', '%3B', '%26', '%23', '%39', '%31'],
  ...['&#91;', '&#91', '&#9', '1', '1;', '&#x5b;', '&#X5B', '&#x', '5b', '&#0091;', '&lbrack;', '&lsqb;', '&lsqb'],
  ...['&rsqb;', '&colon;', '&#58', '&amp;', '&amp', 'amp;', '&', '#', '#91;', ';', '&#38;', '&#37;', '&num;', '&#59;'],
  ...['&percnt;', '&semi;', '&#49;', 'known', 'tail', 'sly', 'two-words', ' ', '\n', '#f', '?q', 'lsqb;', 'colon;'],
  ...['<a href="', '<a href=', '">', '"', "'", '>', '<', '</a>', '<b>', '<img alt="', '<!--', '-->', '<title>', '/'],
  ...['</title>', '<a href="[INTERNAL:known]">', '<a href="[INTERNAL:x]">', '<a href="/">', ' t="[INTERNAL:x]"', '='],
);
const hostileHtml = fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join(''));
const NOTHING_PUBLISHED = { targets: new Map() };

describe('any content', () => {
  it('the result has no placeholder in any spelling', () => {
    fc.assert(
      fc.property(hostileHtml, (html) => {
        expect(spellsPlaceholder(resolve(html))).toBe(false);
      }),
      { numRuns: 10_000 },
    );
  });

  it('the result has none with any title and site address', () => {
    fc.assert(
      fc.property(hostileHtml, hostileHtml, hostileHtml, (html, title, site) => {
        const targets = new Map([['known', { title }]]);
        expect(spellsPlaceholder(resolve(`${html}[INTERNAL:known]${html}`, { targets, siteUrl: site }))).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  it('what has come out once comes out unchanged again', () => {
    fc.assert(
      fc.property(hostileHtml, (html) => {
        const once = resolve(html, NOTHING_PUBLISHED);
        expect(resolve(once, NOTHING_PUBLISHED)).toBe(once);
        const resolved = resolve(html);
        expect(resolve(resolved, NOTHING_PUBLISHED)).toBe(resolved);
      }),
      { numRuns: 5_000 },
    );
  });

  it('content without a placeholder is kept byte for byte', () => {
    const noColon = fragment.filter((piece) => !/:|3a|#58|colon/i.test(piece));
    const brackets = fc.array(noColon, { maxLength: 30 }).map((parts) => parts.join(''));
    const anything = fc.oneof(brackets, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(anything, (html) => {
        expect(resolve(html)).toBe(html);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('well-formed content', () => {
  const word = fc.stringMatching(/^w[a-z]{1,8}$/);
  const placeholder = fc.constantFrom('[INTERNAL:known]', '%5BINTERNAL:x%5D', '&#91;INTERNAL:two-words&#93;');
  const inline = fc.oneof(
    word.map((text) => ({ html: ` ${text} `, words: [text] })),
    placeholder.map((html) => ({ html, words: [] as string[] })),
    fc.tuple(placeholder, word).map(([target, text]) => ({ html: ` <a href="${target}">${text}</a> `, words: [text] })),
    fc.tuple(placeholder, word).map(([alt, text]) => ({ html: `<b title="${alt}"> ${text} </b>`, words: [text] })),
    fc.tuple(word, word).map(([a, b]) => ({ html: `<a href="/"> ${a} [INTERNAL:x] ${b} </a>`, words: [a, b] })),
  );
  const block = fc.array(inline, { maxLength: 12 });

  it('keeps its words in their order', () => {
    fc.assert(
      fc.property(block, (pieces) => {
        const text = resolve(`<p>${pieces.map(({ html }) => html).join('')}</p>`).replace(/<[^>]*>/g, ' ');
        expect(text.match(/\bw[a-z]+/g) ?? []).toEqual(pieces.flatMap(({ words }) => words));
      }),
    );
  });

  it('has as many end tags as start tags, resolved or not, and no link within a link', () => {
    fc.assert(
      fc.property(block, fc.boolean(), (pieces, published) => {
        const html = resolve(pieces.map(({ html }) => html).join(''), published ? {} : NOTHING_PUBLISHED);
        let open = 0;
        for (const [, slash] of html.matchAll(/<(\/?)a\b/g)) {
          open += slash === '' ? 1 : -1;
          expect([0, 1]).toContain(open);
        }
        expect(open).toBe(0);
      }),
    );
  });
});
