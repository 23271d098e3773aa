import fc from 'fast-check';
import { cutAtWord, makeExcerpt } from './make-excerpt.ts';

describe('an excerpt made from the content (decisions “Content”)', () => {
  it('is the plain text of the first paragraphs', () => {
    expect(makeExcerpt('<h2>Title</h2><p>One &amp; <b>two</b>.</p><ul><li>no</li></ul><p>Three.</p>')).toBe(
      'One & two. Three.',
    );
  });
  it('is the whole text when there is no paragraph', () => {
    expect(makeExcerpt('<ul><li>One</li><li>two</li></ul>')).toBe('One two');
  });
  it('is empty when there is no text', () => {
    expect(makeExcerpt('<img src="a.jpg"><p> </p>')).toBe('');
  });
  it('leaves out scripts and styles', () => {
    expect(makeExcerpt('<style>p{}</style><p>Text<script>evil()</script></p>')).toBe('Text');
  });
  it('leaves only the text of link placeholders', () => {
    expect(makeExcerpt('<p>See <a href="[INTERNAL:tea]">tea</a>[INTERNAL:milk].</p>')).toBe('See tea.');
  });
  it('takes a further paragraph only when it fits whole', () => {
    expect(makeExcerpt(`<p>${'a'.repeat(200)}</p><p>${'b'.repeat(100)}</p>`)).toBe('a'.repeat(200));
  });
  it('keeps 300 characters and cuts the 301st at a word boundary with …', () => {
    const words = 'word '.repeat(60).trim();
    expect(words).toHaveLength(299);
    expect(makeExcerpt(`<p>${words}s</p>`)).toBe(`${words}s`);
    expect(makeExcerpt(`<p>${words} more</p>`)).toBe(`${words}…`);
    expect(makeExcerpt(`<p>${words}sss</p>`)).toBe(`${words.slice(0, -5)}…`);
  });
  it('of a long text is the same, whatever stands where its reading might end', () => {
    const piece = fc.constantFrom(
      ...['<p>', '</p>', '<h2>', '</h2>', '<b>', '</b>', '<div>', '</div>', '<ul><li>', '</li></ul>', '<img src="a">'],
      ...['<a href="[INTERNAL:tea]">', '</a>', '[INTERNAL:milk]', '&amp;', '<pre>', '</pre>', 'word ', 'x'.repeat(90)],
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.nat(8_200), (pieces, before) => {
        const html = pieces.join('');
        // Before it something without text, which moves it over the end of what is read at first.
        const excerpt = makeExcerpt(`${'<br>'.repeat(before / 4)}${html}`);
        expect(excerpt).toBe(makeExcerpt(html));
        expect(makeExcerpt(`${html}${'<br>'.repeat(3_000)}`)).toBe(excerpt);
      }),
      { numRuns: 500 },
    );
  });
  it('cuts a single long word', () => {
    expect(cutAtWord('x'.repeat(301), 300)).toBe(`${'x'.repeat(299)}…`);
  });
});
