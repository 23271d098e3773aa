import { compileContent, parseSegments, placeholderSlugs } from './index.ts';

const HTML =
  '<p>[INTERNAL:b] <a href="[INTERNAL:a]#f" class="c">x</a> <a href="/">[INTERNAL:B]</a> [INTERNAL:no good]</p>';

describe('compileContent', () => {
  it('gives literals, links and bare placeholders', () => {
    expect(compileContent(HTML)).toEqual([
      '<p>',
      { bare: 'b' },
      ' ',
      { open: 'a', before: '<a href="', after: '#f" class="c">' },
      'x',
      { close: '</a>' },
      ' <a href="/">',
      { bare: 'b', nested: true },
      '</a> </p>',
    ]);
  });

  it('gives one literal for content without placeholders, and none for no content', () => {
    expect(compileContent('<p>a</p><!-- b --><p>c [d] %20 &amp;</p>')).toHaveLength(1);
    expect(compileContent('')).toEqual([]);
  });
});

describe('placeholderSlugs', () => {
  it('names each valid slug once, in lower case, in order', () => {
    expect(placeholderSlugs(compileContent(HTML))).toEqual(['b', 'a']);
  });
});

describe('parseSegments', () => {
  it('reads back what was stored', () => {
    const segments = compileContent(HTML);
    expect(parseSegments(JSON.parse(JSON.stringify(segments)))).toEqual(segments);
  });

  it('drops fields it does not know', () => {
    expect(parseSegments([{ bare: 'a', since: 2 }])).toEqual([{ bare: 'a' }]);
  });

  it.each([null, undefined, 'text', {}, { length: 0 }])('refuses what is not an array: %j', (json) => {
    expect(() => parseSegments(json)).toThrow(TypeError);
  });

  it.each([
    null,
    1,
    [],
    {},
    { bare: 'Not A Slug' },
    { bare: 'a', nested: false },
    { bare: 1 },
    { open: 'a' },
    { open: 'a', before: '', after: 1 },
    { open: '../a', before: '', after: '' },
    { close: null },
    { close: '</a>', bare: 'a' },
  ])('refuses an element that is no segment, and says which: %j', (element) => {
    expect(() => parseSegments(['fine', element])).toThrow('segments[1]: not a segment');
  });
});
