import fc from 'fast-check';
import { cutAtWord, makeExcerpt } from './make-excerpt.ts';

describe('an excerpt made from the content (contract “Content”)', () => {
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
  it('goes on behind the first paragraph as far as 300 characters allow', () => {
    const [first, second] = ['one '.repeat(50).trim(), 'two '.repeat(50).trim()];
    const excerpt = makeExcerpt(`<p>${first}</p><p>${second}</p>`);
    expect(excerpt).toBe(`${first} ${'two '.repeat(25).trim()}…`);
    expect(excerpt).toHaveLength(300);
    expect(makeExcerpt(`<p>${first}</p><h2>no</h2><p>end</p>`)).toBe(`${first} end`);
  });
  it.each([
    ['<p>a <b>[</b>INTERNAL:missing] b</p>', 'a b'],
    ['<p>a [INTER<em>NAL</em>:x] b</p>', 'a b'],
    ['<p>a %5B<i>internal</i>&#58;x%5D b</p>', 'a x%5D b'],
    ['<p>a &amp;#91;<i></i>INTERNAL:x] b</p>', 'a b'],
  ])('has no placeholder that the tags of %s kept apart', (html, excerpt) => {
    expect(makeExcerpt(html)).toBe(excerpt);
  });
  it('takes nothing from beyond the first 32,000 characters', () => {
    expect(makeExcerpt(`${'<br>'.repeat(8_001)}<p>far away</p>`)).toBe('');
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
