import { compileContent, resolveLinks } from '@blog-content/link-resolver';
import { cleanHtml } from './clean-html.ts';
import { markdownToHtml } from './markdown.ts';

const targets = new Map([['green-tea', { title: 'Green tea' }]]);
const LINK = 'https://example.com/blog/green-tea/';

/** The whole way: what an author writes to what a reader gets. */
function published(markdown: string): string {
  const saved = cleanHtml(html(markdown));
  return resolveLinks(compileContent(saved), { siteUrl: 'https://example.com', targets, self: 'tea' }).trim();
}

function html(markdown: string): string {
  const rendered = markdownToHtml(markdown);
  if ('refused' in rendered) throw new Error(rendered.refused);
  return rendered.html;
}

function refusalOf(markdown: string): string | undefined {
  const rendered = markdownToHtml(markdown);
  return 'refused' in rendered ? rendered.refused : undefined;
}

describe('Markdown', () => {
  it.each([
    ['CommonMark', '# A\n\n*b* **c** `d`', '<h2>A</h2>\n<p><em>b</em> <strong>c</strong> <code>d</code></p>'],
    ['strikethrough', '~~a~~', '<p><s>a</s></p>'],
    ['raw HTML, cleaned', 'a <mark onclick="x()">b</mark><script>c()</script>', '<p>a <mark>b</mark></p>'],
    ['no links of its own making', 'https://example.com', '<p>https://example.com</p>'],
    ['no script as a destination', '[a](javascript:x) <javascript:x>', '<p>[a](javascript:x) &lt;javascript:x&gt;</p>'],
  ])('is %s', (_case, markdown, html) => {
    expect(published(markdown)).toBe(html);
  });

  it('has tables', () => {
    const html = published('| a | b |\n|---|:-:|\n| 1 | 2 |');
    expect(html).toContain('<th>a</th>');
    expect(html).toContain('<td style="text-align:center">2</td>');
  });
});

describe('a link placeholder in Markdown (contract §2.4.3, “Link placeholders”)', () => {
  it.each([
    ['as a destination', '[tea]([INTERNAL:green-tea])', `<a href="${LINK}">tea</a>`],
    ['in any case', '[tea]([internal:Green-Tea])', `<a href="${LINK}">tea</a>`],
    ['with spaces and a fragment', '[tea](<[INTERNAL: green-tea ]#part>)', `<a href="${LINK}#part">tea</a>`],
    ['with a title', '[tea]([INTERNAL:green-tea] "t")', `<a href="${LINK}" title="t">tea</a>`],
    ['percent-encoded', '[tea](%5BINTERNAL:green-tea%5D#a)', `<a href="${LINK}#a">tea</a>`],
    ['percent-encoded with spaces', '[tea](%5BINTERNAL:%20green-tea%5D)', `<a href="${LINK}">tea</a>`],
    ['entity-encoded', '[tea](&#91;INTERNAL:green-tea&#93;)', `<a href="${LINK}">tea</a>`],
    ['by reference', '[tea][1]\n\n[1]: [INTERNAL:green-tea]', `<a href="${LINK}">tea</a>`],
    ['around Markdown', '[**green** tea]([INTERNAL:green-tea])', `<a href="${LINK}"><strong>green</strong> tea</a>`],
    ['in HTML', '<a href="[INTERNAL:green-tea]">tea</a>', `<a href="${LINK}">tea</a>`],
    ['bare', 'See [INTERNAL:green-tea].', `See <a href="${LINK}">Green tea</a>.`],
    ['bare and percent-encoded', 'See %5BINTERNAL:green-tea%5D.', `See <a href="${LINK}">Green tea</a>.`],
    ['bare in emphasis', '*[INTERNAL: green-tea]*', `<em><a href="${LINK}">Green tea</a></em>`],
    ['to an unknown post', '[tea]([INTERNAL:milk]#a) and [INTERNAL:milk]', 'tea and '],
    ['that names no slug', '[tea]([INTERNAL:no_slug])', 'tea'],
    ['as an image', '![x]([INTERNAL:green-tea])', '<img alt="x" />'],
  ])('works %s', (_case, markdown, html) => {
    expect(published(markdown)).toBe(`<p>${html}</p>`);
  });

  it('is kept readable in what is saved', () => {
    expect(cleanHtml(html('[tea](%5binternal: x%5d) [tea](<[INTERNAL: green-tea]?q=ä#b>)'))).toContain(
      '<a href="[INTERNAL:green-tea]?q=%C3%A4#b">tea</a>',
    );
  });
});

describe('hostile Markdown', () => {
  it.each([
    '[',
    '![',
    '*',
    '_a*',
    '<',
    '<!--',
    '`',
    '[a](',
    '[a][',
    '](',
    '&',
    '\\',
    '|\n',
    '- a\n\n',
    '# ',
    '<a href="',
  ])('of %p without end comes to an end', (piece) => {
    expect(html(piece.repeat(Math.floor(40_000 / piece.length))).length).toBeGreaterThan(0);
  });

  it.each([
    ['block quotes', '>'.repeat(100), '>'.repeat(101)],
    ['lists', '- '.repeat(50), '- '.repeat(51)],
  ])('is refused for %s nested deeper than what is shown whole', (_case, deepest, deeper) => {
    expect([refusalOf(`${deepest}a`), refusalOf(`${deeper}a`)]).toEqual([
      undefined,
      'has block quotes or lists in each other to more than 100 levels',
    ]);
  });

  it('keeps what stands at the deepest level', () => {
    expect(html(`${'>'.repeat(100)} deep`)).toContain('deep');
    expect(html(`${'- '.repeat(50)}deep`)).toContain('deep');
  });

  it('is refused for more lines than 50,000', () => {
    expect([refusalOf('\n'.repeat(50_000)), refusalOf('a\n'.repeat(50_001))]).toEqual([
      undefined,
      'has more than 50000 lines',
    ]);
  });

  it('is refused when references make gigabytes of it', () => {
    const long = 'x'.repeat(200_000);
    expect(refusalOf(`[a]: /${long}\n\n${'[a]'.repeat(20_000)}`)).toBe('comes to more than 4000000 characters of HTML');
    expect(refusalOf(`[a]: /b "${long}"\n\n${'[a]'.repeat(20_000)}`)).toBe(
      'comes to more than 4000000 characters of HTML',
    );
  });

  it('is refused for more markup than 50,000 characters, of which each takes its time; code blocks count nothing', () => {
    const tooMuch = 'has more than 50000 of the characters * _ ~ [ ] < & ` and \\ outside of code blocks';
    for (const opener of ['![', '[', '*a', '_a ', '~a', '<', '&', '\\', '`a']) {
      const most = Math.ceil(50_000 / opener.replaceAll(/[!a ]/g, '').length);
      expect([opener, refusalOf(opener.repeat(most + 1))]).toEqual([opener, tooMuch]);
    }
    expect(refusalOf(`    ${'[*'.repeat(30_000)}\n\n\`\`\`\n${'<&'.repeat(30_000)}\n\`\`\`\n`)).toBeUndefined();
    expect(refusalOf('[a](/b) '.repeat(25_000))).toBeUndefined();
  });

  it('is refused by what it grows to: cells that a table’s rows leave out are made all the same', () => {
    const rowsOf17 = (rows: number) => `|${'a|'.repeat(17)}\n|${'-|'.repeat(17)}\n${'|1|\n'.repeat(rows)}`;
    expect([refusalOf(rowsOf17(1_000)), refusalOf(rowsOf17(3_300))]).toEqual([
      undefined,
      'comes to more than 25000 elements of HTML',
    ]);
  });
});
