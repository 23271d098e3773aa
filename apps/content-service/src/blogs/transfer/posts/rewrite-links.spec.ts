import { eachPathImage, rewriteLinks } from './rewrite-links.ts';

const slugs = new Map([
  ['posts/tea.md', 'green-tea'],
  ['posts/Black Tea.md', 'black-tea'],
  ['pages/milk/index.html', 'milk'],
  ['posts/self.md', 'self'],
]);
const CUP = 'https://export.invalid/cup.png';
const images = new Map([
  ['posts/cup.png', CUP],
  ['images/my pot.jpg', 'https://export.invalid/pot.jpg'],
  ['posts/static/a.gif', 'https://export.invalid/a.gif'],
]);
const targets = { slugs, expected: new Set(['posts/later.md']), images };
const rewritten = (text: string, format: 'markdown' | 'html' = 'markdown') =>
  rewriteLinks(text, format, 'posts/self.md', targets);
const markdown = (text: string) => rewritten(text).text;
const html = (text: string) => rewritten(text, 'html').text;

describe('links between the files of an archive', () => {
  it.each([
    ['[a](tea.md)', '[a]([INTERNAL:green-tea])'],
    ['[a](./tea.md#part)', '[a]([INTERNAL:green-tea]#part)'],
    ['[a](../pages/milk/index.html?q=1#x "t")', '[a]([INTERNAL:milk]?q=1#x "t")'],
    ['[a](Black%20Tea.md)', '[a]([INTERNAL:black-tea])'],
    ['[a](<Black Tea.md>)', '[a](<[INTERNAL:black-tea]>)'],
    ['[a]( tea.md )', '[a]( [INTERNAL:green-tea] )'],
    ['> - **[a](tea.md)** and [b](tea.md)', '> - **[a]([INTERNAL:green-tea])** and [b]([INTERNAL:green-tea])'],
    ['[![i](i.png)](tea.md)', '[![i](i.png)]([INTERNAL:green-tea])'],
    ['[a][1]\n\n[1]: tea.md "t"', '[a][1]\n\n[1]: [INTERNAL:green-tea] "t"'],
    ['<a class="x" href="tea.md">a</a>', '<a class="x" href="[INTERNAL:green-tea]">a</a>'],
    ['<div>\n<a href=tea.md>a</a>\n</div>', '<div>\n<a href=[INTERNAL:green-tea]>a</a>\n</div>'],
    ['[a](self.md#part)', '[a](#part)'],
    ['[a](tea.md)\r\n\r\n[b](tea.md)\r\n', '[a]([INTERNAL:green-tea])\r\n\r\n[b]([INTERNAL:green-tea])\r\n'],
  ])('become placeholders: %p', (text, rewritten) => {
    expect(markdown(text)).toBe(rewritten);
  });

  it.each([
    '[a](other.md)',
    '[a](/posts/tea.md)',
    '[a](https://x.example/posts/tea.md)',
    '[a](tea)',
    '[a](../../posts/tea.md)',
    '`[a](tea.md)`',
    '``[a](tea.md) ` x``',
    '```\n[a](tea.md)\n```',
    '~~~md\n\n[a](tea.md)\n\n~~~',
    '    [a](tea.md)',
    '- x\n\n  ```\n  [a](tea.md)\n  ```',
    '[a\\](tea.md)',
    '`<a href="tea.md">`',
    'tea.md',
    '[a](tea.md%zz)',
  ])('stay as they are: %p', (text) => {
    expect(markdown(text)).toBe(text);
  });

  it('are found around code', () => {
    expect(markdown('`x` [a](tea.md) `y`\n\n    [a](tea.md)\n\n[b](tea.md)')).toBe(
      '`x` [a]([INTERNAL:green-tea]) `y`\n\n    [a](tea.md)\n\n[b]([INTERNAL:green-tea])',
    );
    expect(markdown('a ` b [a](tea.md)')).toBe('a ` b [a]([INTERNAL:green-tea])');
  });

  it('are found in HTML by its attributes', () => {
    expect(
      html(`<p>tea.md <a title="tea.md" HREF='tea.md#x'>a</a><link href="x.css"><!-- <a href="tea.md"> --></p>`),
    ).toBe(
      `<p>tea.md <a title="tea.md" HREF='[INTERNAL:green-tea]#x'>a</a><link href="x.css"><!-- <a href="tea.md"> --></p>`,
    );
  });

  it.each([
    '[a](tea.md ',
    '](',
    '[a](<',
    '`',
    '`` `',
    '<a href="tea.md',
    '<a ',
    '[tea.md]: ',
    '> ',
    '\n',
    '](tea.md\\',
  ])('of %p without end come to an end', (piece) => {
    const text = `tea.md ${piece.repeat(Math.floor(200_000 / piece.length))}`;
    expect(markdown(text).length).toBeGreaterThan(0);
    expect(html(text).length).toBeGreaterThan(0);
  });
});

describe('images that a post shows by path', () => {
  it.each([
    ['![A cup](./cup.png)', `![A cup](${CUP})`],
    ['![](cup.png "Title") ![](/images/my%20pot.jpg)', `![](${CUP} "Title") ![](https://export.invalid/pot.jpg)`],
    ['[![A](<../images/my pot.jpg>)](./cup.png?x=1)', `[![A](<https://export.invalid/pot.jpg>)](${CUP})`],
    ['<img alt="x" src="./cup.png">\n\n![again](cup.png)', `<img alt="x" src="${CUP}">\n\n![again](${CUP})`],
    ['![A][cup]\n\n[cup]: ./cup.png "Title"', `![A][cup]\n\n[cup]: ${CUP} "Title"`],
    ['![](/a.gif)', '![](https://export.invalid/a.gif)'],
  ])('get what stands for those of the import: %s', (text, taken) => {
    expect(rewritten(text)).toMatchObject({ text: taken, notes: [] });
  });

  it('are remembered as they were written', () => {
    expect(rewritten('![](./cup.png) ![](cup.png)').pathImages).toEqual([{ url: CUP, path: './cup.png' }]);
  });

  it.each([
    ['![](none.png) and ![](../logo.svg)', 'none.png (not found), ../logo.svg (not JPEG, PNG, WebP, AVIF or GIF)'],
    ['<img src="/images/cup.png">', '/images/cup.png (not found)'],
    ['![](../../cup.png)', '../../cup.png (not found)'],
    ['![A][cup]\n\n[cup]: <my cup.JPG>', 'my cup.JPG (not found)'],
  ])('are named where the import has none: %s', (text, named) => {
    const { notes, text: left } = rewritten(text);
    expect([left, notes]).toEqual([text, [`Images that stay paths on your site, and are not copied: ${named}.`]]);
  });

  it('are named up to ten', () => {
    const many = Array.from({ length: 12 }, (_, at) => `![](${at}.png)`).join('\n');
    expect(rewritten(many).notes[0]).toMatch(/: 0\.png \(not found\), .*9\.png \(not found\) and 2 more\.$/);
  });

  it.each([
    '![](https://example.com/cup.png)',
    '![](//example.com/cup.png)',
    '![](data:image/png;base64,AA==)',
    '`![](cup.png)`\n\n    ![](cup.png)\n\n```\n<img src="cup.png">\n```',
  ])('are no whole addresses and no code: %s', (text) => {
    expect(rewritten(text)).toEqual({ text, pathImages: [], notes: [] });
  });

  it('are found in HTML, by the source alone', () => {
    const text = `<p><IMG src='cup.png'><img data-src="no.png" src="https://example.com/b.png">![not](c.png)</p>`;
    expect(rewritten(text, 'html')).toMatchObject({ text: text.replace('cup.png', CUP), notes: [] });
  });

  it('are told with their alternative texts', () => {
    const found: unknown[] = [];
    const text = '![A *cup*](cup.png)\n\n<img src="b.png" alt="B">\n\n[Large](cup.png) ![x](https://example.com/c.png)';
    eachPathImage(text, 'markdown', 'posts/self.md', (places, alt) => found.push([places[0], alt]));
    expect(found).toEqual([
      ['posts/cup.png', 'A *cup*'],
      ['posts/b.png', 'B'],
      ['posts/cup.png', ''],
    ]);
  });
});

describe('links to files that are not imported', () => {
  it.each([
    ['[a](./missing.md)', './missing.md (posts/missing.md)'],
    ['[a](../menu.pdf#2) and <a href="x.html">x</a>', '../menu.pdf#2 (menu.pdf), x.html (posts/x.html)'],
    ['[a][1]\n\n[1]: ../missing.md', '../missing.md (missing.md)'],
  ])('stay, and are named: %s', (text, named) => {
    const { notes, text: left } = rewritten(text);
    expect([left, notes]).toEqual([text, [`Links to files that are not imported stay as they are: ${named}.`]]);
  });

  it.each([
    '[a](later.md)',
    '[a](/about.html)',
    '[a](#b)',
    '[a](mailto:a@example.com)',
    '[a](../tags/)',
    '`[a](b.md)`',
  ])('are no others: %s', (text) => {
    expect(rewritten(text)).toEqual({ text, pathImages: [], notes: [] });
  });
});
