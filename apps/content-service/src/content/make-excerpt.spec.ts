import fc from 'fast-check';
import { cutAtWord, makeExcerpt } from './make-excerpt.ts';

it('an excerpt has no numbers of footnotes', () => {
  const sign = '<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>';
  expect(makeExcerpt(`<p>A claim.${sign} Another.</p>`)).toBe('A claim. Another.');
});

it.each([
  '<hr class="footnotes-sep" />\n<div class="footnotes">\n<ol><li id="fn1"><p>Smith, p. 12. <a href="#fnref1">↩︎</a></p></li></ol>\n</div>',
  '<div class="footnotes" role="doc-endnotes"><hr /><ol><li id="fn:1"><p>Smith.&nbsp;<a href="#fnref:1">↩︎</a></p></li></ol></div>',
])('an excerpt has no footnotes: %s', (notes) => {
  expect(makeExcerpt(`<p>A claim.</p>\n${notes}`)).toBe('A claim.');
  expect(makeExcerpt(`<ul><li>A claim.</li></ul>\n${notes}`)).toBe('A claim.');
});

describe('an excerpt made from the content (contract §2.4.5)', () => {
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
  it('drops scripts and styles', () => {
    expect(makeExcerpt('<style>p{}</style><p>Text<script>evil()</script></p>')).toBe('Text');
  });
  it('leaves only the text of link placeholders', () => {
    expect(makeExcerpt('<p>See <a href="[INTERNAL:tea]">tea</a>[INTERNAL:milk].</p>')).toBe('See tea.');
  });
  it('continues after the first paragraph up to 300 characters', () => {
    const [first, second] = ['one '.repeat(50).trim(), 'two '.repeat(50).trim()];
    const excerpt = makeExcerpt(`<p>${first}</p><p>${second}</p>`);
    expect(excerpt).toBe(`${first} ${'two '.repeat(25).trim()}…`);
    expect(excerpt).toHaveLength(300);
    expect(makeExcerpt(`<p>${first}</p><h2>no</h2><p>end</p>`)).toBe(`${first} end`);
  });
  it.each([
    ['<p>a <b>[</b>INTERNAL:missing] b</p>', 'a b'],
    ['<p>a [INTER<em>NAL</em>:x] b</p>', 'a b'],
    ['<p>a %5B<i>internal</i>&#58;x%5D b</p>', 'a b'],
    ['<p>a &amp;#91;<i></i>INTERNAL:x] b</p>', 'a b'],
  ])('has no placeholder that the tags of %s separated', (html, excerpt) => {
    expect(makeExcerpt(html)).toBe(excerpt);
  });
  it.each([
    ['a paragraph', `<p>${'word '.repeat(6_500)}</p>`],
    ['text without tags', 'word '.repeat(7_000)],
    ['text before the first paragraph', `<pre>${'word '.repeat(7_000)}</pre><p>far away</p>`],
  ])('is the start of %s of any length', (_what, html) => {
    expect(makeExcerpt(html)).toBe(`${'word '.repeat(59)}word…`);
  });
  it.each(['p', 'h2', 'img'])('ignores the length of tags: %s', (name) => {
    expect(makeExcerpt(`<${name} title="${'[INTERNAL:x]<p> '.repeat(2_500)}"><p>Text</p>`)).toBe('Text');
  });
  it('reads the first 32,000 characters of text only', () => {
    expect(makeExcerpt(`<ul><li>One two${' '.repeat(32_000)}</li></ul><p>far away</p>`)).toBe('One two');
    expect(makeExcerpt(`<p>One</p>${' '.repeat(31_990)}<p>two three</p>`)).toBe('One two');
  });
  it.each(['[INTERNAL:green-tea]', '[internal: green-tea ]', '%5BINTERNAL:tea%5D', '[INTERNAL:no slug, but words]'])(
    'has no part of %s if the read text ends in it',
    (placeholder) => {
      for (let read = 0; read < placeholder.length; read += 1) {
        const before = `One two${' '.repeat(32_000 - 'One two'.length - read)}`;
        expect('One two').toContain(makeExcerpt(`<p>${before}${placeholder} three</p>`));
        expect(makeExcerpt(`<p>${before}${placeholder} three</p>`)).toMatch(/^One/);
      }
    },
  );
  it('keeps 300 characters and cuts the 301st at a word boundary with …', () => {
    const words = 'word '.repeat(60).trim();
    expect(words).toHaveLength(299);
    expect(makeExcerpt(`<p>${words}s</p>`)).toBe(`${words}s`);
    expect(makeExcerpt(`<p>${words} more</p>`)).toBe(`${words}…`);
    expect(makeExcerpt(`<p>${words}sss</p>`)).toBe(`${words.slice(0, -5)}…`);
  });
  it('of a long text is the same, no matter what is at the point where reading may end', () => {
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
  it('counts a character outside the basic plane once, and never cuts one in two', () => {
    const words = '🍵🍵🍵🍵🍵 '.repeat(50).trim();
    expect([...words]).toHaveLength(299);
    expect(makeExcerpt(`<p>${words}</p>`)).toBe(words);
    expect(makeExcerpt(`<p>${words} 🍵🍵</p>`)).toBe(`${words}…`);
    expect(cutAtWord('🍵'.repeat(301), 300)).toBe(`${'🍵'.repeat(299)}…`);
    expect(cutAtWord('🍵'.repeat(300), 300)).toBe('🍵'.repeat(300));
  });
});
