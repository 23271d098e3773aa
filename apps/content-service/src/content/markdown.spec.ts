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
    ['CommonMark', '# A\n\n*b* **c** `d`', '<h2 id="a">A</h2>\n<p><em>b</em> <strong>c</strong> <code>d</code></p>'],
    ['strikethrough', '~~a~~', '<p><s>a</s></p>'],
    ['raw HTML, cleaned', 'a <mark onclick="x()">b</mark><script>c()</script>', '<p>a <mark>b</mark></p>'],
    ['links of bare addresses', 'https://example.com', '<p><a href="https://example.com">https://example.com</a></p>'],
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

describe('a link placeholder in Markdown (contract §2.4.3)', () => {
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

  it('is stored readably', () => {
    expect(cleanHtml(html('[tea](%5binternal: x%5d) [tea](<[INTERNAL: green-tea]?q=ä#b>)'))).toContain(
      '<a href="[INTERNAL:green-tea]?q=%C3%A4#b">tea</a>',
    );
  });
});

describe('footnotes', () => {
  it('become notes at the end with links back', () => {
    const post = published('A claim.[^1] A word.[^w] Again.[^1]\n\n[^1]: https://source.example/a.pdf\n[^w]: Ibid.');
    expect(post).not.toContain('href="Ibid."');
    expect(post).toContain('<a href="#fn1" id="fnref1">[1]</a>');
    expect(post).toContain('<li id="fn1" class="footnote-item"><p><a href="https://source.example/a.pdf">');
    expect(post).toContain('<p>Ibid. <a href="#fnref2" class="footnote-backref">');
    expectLinksToLead(post);
  });

  it('may have several paragraphs, and code', () => {
    const post = published('a[^m]\n\n[^m]: First.\n\n    Second.\n\n        code');
    expect(post).toContain('<p>First.</p>\n<p>Second.</p>\n<pre><code>code\n</code></pre>');
  });

  it('are text without a note, and in code', () => {
    expect(published('a[^1] `[^2]`\n\n[^2]: b')).toContain('<p>a[^1] <code>[^2]</code></p>');
  });

  it('have ids different from headings', () => {
    expectLinksToLead(published('# fn1\n\n## fnref1\n\na[^1]\n\n[^1]: b'));
  });
});

describe('headings', () => {
  it.each([
    ['## Second part', 'second-part'],
    ['## Ünïcode & “Marks”, 100%!', 'ünïcode--marks-100'],
    ['## 日本茶 한국어 ไทย', '日本茶-한국어-ไทย'],
    ['## *Some* `code` [link](/x) <b>bold</b>', 'some-code-link-bold'],
    ['Two\nlines\n---', 'two-lines'],
    ['## snake_case-here', 'snake_case-here'],
    ['## Named {#custom-id}', 'custom-id'],
    ['## Named {#custom-id .class key=value}', 'custom-id'],
    ['## Named {: #custom-id}', 'custom-id'],
    ['## Named ## {#not-last} more', 'named--not-last-more'],
  ])('have an id: %s', (markdown, id) => {
    expect(published(markdown)).toMatch(new RegExp(`^<h2 id="${id}">`));
  });

  it('have ids of their own', () => {
    const post = published('## A\n\n## A\n\n## A {#a-1}\n\n## a 1\n\n<a name="b"></a>\n\n## B\n\n## C {#a-1}');
    expect(post.match(/id="[^"]*"/g)).toEqual(['a', 'a-2', 'a-1', 'a-1-1', 'b', 'b-1', 'c'].map((id) => `id="${id}"`));
  });

  it('show nothing of the id that follows them', () => {
    expect(published('## Named {#x}')).toBe('<h2 id="x">Named</h2>');
    expect(published('## 😀')).toBe('<h2>😀</h2>');
  });
});

describe('task lists', () => {
  it('are lists with boxes', () => {
    expect(published('- [ ] open\n- [x] *done*\n- [X] also')).toBe(
      [
        '<ul>',
        '<li class="task-list-item"><input type="checkbox" disabled /> open</li>',
        '<li class="task-list-item"><input type="checkbox" disabled checked /> <em>done</em></li>',
        '<li class="task-list-item"><input type="checkbox" disabled checked /> also</li>',
        '</ul>',
      ].join('\n'),
    );
  });

  it.each(['- [] a', '- [y] a', '- `[ ]` a', '[ ] a', '- a [ ]'])('are not made from %s', (markdown) => {
    expect(published(markdown)).not.toContain('input');
  });
});

describe('bare URLs', () => {
  it.each([
    ['See https://auto.example/a_b_c?d=1&e=2#f.', 'https://auto.example/a_b_c?d=1&amp;e=2#f'],
    ['(http://auto.example/a(b))', 'http://auto.example/a(b)'],
    ['www.auto.example/a, then', 'https://www.auto.example/a'],
  ])('are links: %s', (markdown, href) => {
    expect(published(markdown)).toContain(`<a href="${href}">`);
  });

  it.each(['`https://x.example`', '    https://x.example', 'me@x.example', 'README.md and x.example', '//x.example/a'])(
    'stay text: %s',
    (markdown) => {
      expect(published(markdown)).not.toContain('<a ');
    },
  );

  it('are not linked twice', () => {
    expect(published('[https://x.example](https://y.example) <https://z.example>')).toBe(
      '<p><a href="https://y.example">https://x.example</a> <a href="https://z.example">https://z.example</a></p>',
    );
  });
});

describe('definition lists', () => {
  it.each([
    ['Term\n: Definition', '<dl>\n<dt>Term</dt>\n<dd>Definition</dd>\n</dl>'],
    ['A\nB\n: one\n: two', '<dl>\n<dt>A</dt>\n<dt>B</dt>\n<dd>one</dd>\n<dd>two</dd>\n</dl>'],
    ['A\n\n: one\n\nB\n\n: two', '<dl>\n<dt>A</dt>\n<dd>one</dd>\n<dt>B</dt>\n<dd>two</dd>\n</dl>'],
    ['A\n: one\n  more', '<dl>\n<dt>A</dt>\n<dd>one\nmore</dd>\n</dl>'],
    [
      'A\n: one\n\n  two\n\n  - three',
      '<dl>\n<dt>A</dt>\n<dd>\n<p>one</p>\n<p>two</p>\n<ul>\n<li>three</li>\n</ul>\n</dd>\n</dl>',
    ],
    ['A\n: one\n\nAfter.', '<dl>\n<dt>A</dt>\n<dd>one</dd>\n</dl>\n<p>After.</p>'],
    ['- A\n  : one', '<ul>\n<li>\n<dl>\n<dt>A</dt>\n<dd>one</dd>\n</dl>\n</li>\n</ul>'],
  ])('are parsed: %j', (markdown, html) => {
    expect(published(markdown)).toBe(html);
  });

  it.each(['a : b', ': b', 'a\n:b', '```\na\n: b\n```', 'a\n\n\n: b'])('are not made from %j', (markdown) => {
    expect(published(markdown)).not.toContain('<dl>');
  });
});

/** Ids are there once, and each link within the post leads to one. */
function expectLinksToLead(post: string): void {
  const ids = [...post.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const targets = [...post.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
  expect(targets.length).toBeGreaterThan(0);
  expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
}

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
    '[^',
    'x[^1]\n\n[^1]: ',
    '^[',
    '[^a]',
    'a\n: ',
    ': ',
    'a\n\n: b\n\n',
    '- [ ] ',
    'www.',
    'https://a',
    '# {#',
    '# a\n',
  ])('of endless %p is parsed in time', (piece) => {
    expect(html(piece.repeat(Math.floor(40_000 / piece.length))).length).toBeGreaterThan(0);
  });

  it.each([
    ['block quotes', '>'.repeat(100), '>'.repeat(101)],
    ['lists', '- '.repeat(50), '- '.repeat(51)],
  ])('is refused for %s nested too deeply', (_case, deepest, deeper) => {
    expect([refusalOf(`${deepest}a`), refusalOf(`${deeper}a`)]).toEqual([
      undefined,
      'has block quotes or lists nested more than 100 levels deep',
    ]);
  });

  it('keeps the text at the deepest level', () => {
    expect(html(`${'>'.repeat(100)} deep`)).toContain('deep');
    expect(html(`${'- '.repeat(50)}deep`)).toContain('deep');
  });

  it('is refused for more lines than 50,000', () => {
    expect([refusalOf('\n'.repeat(50_000)), refusalOf('a\n'.repeat(50_001))]).toEqual([
      undefined,
      'has more than 50000 lines',
    ]);
  });

  it('is refused when references expand to gigabytes', () => {
    const long = 'x'.repeat(200_000);
    expect(refusalOf(`[a]: /${long}\n\n${'[a]'.repeat(20_000)}`)).toBe(
      'expands to more than 4000000 characters of HTML',
    );
    expect(refusalOf(`[a]: /b "${long}"\n\n${'[a]'.repeat(20_000)}`)).toBe(
      'expands to more than 4000000 characters of HTML',
    );
  });

  it('is refused for more than 50,000 characters of markup, without code blocks', () => {
    const tooMuch = 'has more than 50000 of the characters * _ ~ [ ] < & ` and \\ outside code blocks';
    for (const opener of ['![', '[', '*a', '_a ', '~a', '<', '&', '\\', '`a']) {
      const most = Math.ceil(50_000 / opener.replaceAll(/[!a ]/g, '').length);
      expect([opener, refusalOf(opener.repeat(most + 1))]).toEqual([opener, tooMuch]);
    }
    expect(refusalOf(`    ${'[*'.repeat(30_000)}\n\n\`\`\`\n${'<&'.repeat(30_000)}\n\`\`\`\n`)).toBeUndefined();
    expect(refusalOf('[a](/b) '.repeat(25_000))).toBeUndefined();
  });

  it('is refused by its expanded size, which includes omitted table cells', () => {
    const rowsOf17 = (rows: number) => `|${'a|'.repeat(17)}\n|${'-|'.repeat(17)}\n${'|1|\n'.repeat(rows)}`;
    expect([refusalOf(rowsOf17(1_000)), refusalOf(rowsOf17(3_300))]).toEqual([
      undefined,
      'expands to more than 25000 HTML elements',
    ]);
  });
});
