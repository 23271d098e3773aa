import fc from 'fast-check';
import { suggestLinks, type LinkCandidate } from './suggest-links.ts';

const post = (slug: string, title: string, keyword: string | null = null): LinkCandidate => ({
  blogId: `id of ${slug}`,
  slug,
  title,
  keyword,
});
const anchors = (html: string, candidates: LinkCandidate[], limit = 10) =>
  suggestLinks({ html, candidates, limit }).map(({ slug, anchor }) => [slug, anchor]);

const TEA = post('green-tea', 'How to brew green tea', 'green tea');
const COFFEE = post('coffee', 'Coffee');

describe('link suggestions', () => {
  it('have the words as they stand in the text, with their place', () => {
    const html = '<p>Some like Green&nbsp;Tea, hot.</p>';
    const [found] = suggestLinks({ html, candidates: [TEA], limit: 10 });
    expect(found).toMatchObject({ slug: 'green-tea', anchor: 'Green&nbsp;Tea', because: 'keyword', score: 1 });
    expect(html.slice(found?.start, found?.end)).toBe('Green&nbsp;Tea');
    expect([found?.before, found?.after]).toEqual(['Some like ', ', hot.']);
  });

  it.each([
    ['the keyword', 'We drink green tea.', TEA, 'green tea'],
    ['the title', 'Read how to brew green tea now.', post('x', 'How to brew green tea'), 'how to brew green tea'],
    ['much of the title', 'They brew green tea.', post('x', 'How to brew green tea'), 'brew green tea'],
    ['a title of one word', 'No coffee here.', COFFEE, 'coffee'],
    ['words joined by hyphens', 'A green-tea cake.', TEA, 'green-tea'],
    ['words of another script', 'Это зелёный чай.', post('x', 'Зелёный чай'), 'зелёный чай'],
    ['words with marks', 'Trà xanh rất ngon', post('x', 'TRÀ XANH'), 'Trà xanh'],
    ['words without spaces', '今日は日本茶を飲みます。', post('x', '日本茶'), '日本茶'],
    ['Thai', 'ฉันดื่มชาเขียวทุกวัน', post('x', 'ชาเขียว'), 'ชาเขียว'],
    ['Arabic', 'نشرب الشاي الأخضر كل يوم', post('x', 'الشاي الأخضر'), 'الشاي الأخضر'],
    ['letters and signs', 'Our R&amp;D work.', post('x', 'R&D work'), 'R&amp;D work'],
  ])('find %s', (_what, html, candidate, anchor) => {
    expect(anchors(html, [candidate])).toEqual([[candidate.slug, anchor]]);
  });

  it.each([
    ['parts of words', 'Evergreen teapots, greening teas.'],
    ['words of two sentences', 'The leaf is green. Tea is hot.'],
    ['words of two blocks', '<p>green</p><p>tea</p>'],
    ['headings', '<h2>Green tea</h2><p>None.</p>'],
    ['links', '<a href="/x">our <b>green tea</b></a>'],
    ['code', '<p><code>green tea</code></p><pre>green tea</pre>'],
    ['placeholders', '<p>[INTERNAL:green-tea] [INTERNAL:green tea]</p>'],
    ['attributes', '<img alt="green tea"><!-- green tea --><script>green tea</script>'],
  ])('do not find %s', (_what, html) => {
    expect(anchors(html, [post('x', 'Green tea')])).toEqual([]);
  });

  it('name each post once, in its best place', () => {
    expect(anchors('We brew green tea. Green tea, green tea.', [TEA])).toEqual([['green-tea', 'green tea']]);
  });

  it('leave out what the text links to already', () => {
    expect(anchors('<a href="[INTERNAL:green-tea]">This</a> and green tea and coffee', [TEA, COFFEE])).toEqual([
      ['coffee', 'coffee'],
    ]);
  });

  it('never put two links into one place: the better one has it', () => {
    const candidates = [post('brew', 'How to brew green tea'), TEA];
    const places = suggestLinks({ html: 'We brew green tea.', candidates, limit: 10 });
    expect(places.map(({ slug, start }) => [slug, start])).toEqual([['green-tea', 8]]);
    const apart = suggestLinks({ html: 'Drink green tea. How to brew green tea.', candidates, limit: 10 });
    expect(apart.map(({ slug, start }) => [slug, start])).toEqual([
      ['green-tea', 6],
      ['brew', 17],
    ]);
  });

  it('are the best ones when there are more than asked for', () => {
    const candidates = [post('leaf', 'The leaf of black tea explained'), COFFEE, TEA];
    expect(anchors('The leaf of black tea, coffee, green tea', candidates, 2)).toEqual([
      ['green-tea', 'green tea'],
      ['coffee', 'coffee'],
    ]);
  });

  it('find nothing by little words, or by what many posts are called', () => {
    expect(anchors('How to do it and what to do', [post('x', 'How to do it'), post('y', 'What', 'the')])).toEqual([]);
    const same = ['a', 'b', 'c', 'd'].map((slug) => post(slug, `Black pepper ${slug}x`));
    expect(anchors('We like black pepper.', same)).toEqual([]);
  });

  const hostile = {
    'nested tags': '<b>'.repeat(160_000),
    'open brackets': '<'.repeat(500_000),
    'openers of placeholders': '[INTERNAL:'.repeat(50_000),
    placeholders: '[INTERNAL:a]'.repeat(41_000),
    entities: '&amp;'.repeat(100_000),
    'one word': 'x'.repeat(500_000),
    'marks behind a letter': `a${'\u0301'.repeat(250_000)}${'\u0323'.repeat(250_000)}`,
    'the same words': 'green tea '.repeat(50_000),
    'words without spaces': '日本茶'.repeat(160_000),
    marks: `a${'\u0301'.repeat(400_000)}`,
  };
  it.each(Object.entries(hostile))('take moments for 500,000 characters of %s', (_what, html) => {
    const candidates = [
      TEA,
      post('j', '日本茶'),
      ...Array.from({ length: 298 }, (_x, n) => post(`p${n}`, `Green tea ${n}`)),
    ];
    expect(suggestLinks({ html, candidates, limit: 50 }).length).toBeLessThan(51);
  });

  it('have anchors that stand where they say, apart from each other, of posts that were given, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...[
        'green',
        ' ',
        'tea',
        '<h2>',
        '</h2>',
        '<a href="#">',
        '</a>',
        '[INTERNAL:',
        'x',
        ']',
        '&amp;',
        '日本茶',
        '.',
        '<',
        'é',
        '\ud800',
        'coffee',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (parts, limit) => {
        const html = parts.join('');
        const found = suggestLinks({ html, candidates: [TEA, COFFEE, post('j', '日本茶')], limit });
        expect(found.length).toBeLessThanOrEqual(limit);
        expect(new Set(found.map(({ slug }) => slug)).size).toBe(found.length);
        const places = found.toSorted((a, b) => a.start - b.start);
        places.forEach(({ start, end, anchor }, index) => {
          expect(html.slice(start, end)).toBe(anchor);
          expect(anchor).not.toMatch(/[<>[\]]/);
          expect(start).toBeGreaterThanOrEqual(places[index - 1]?.end ?? 0);
        });
      }),
    );
  });
});
