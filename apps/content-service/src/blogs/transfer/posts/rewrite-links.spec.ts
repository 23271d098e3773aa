import { rewriteHtmlLinks, rewriteMarkdownLinks } from './rewrite-links.ts';

const slugs = new Map([
  ['posts/tea.md', 'green-tea'],
  ['posts/Black Tea.md', 'black-tea'],
  ['pages/milk/index.html', 'milk'],
  ['posts/self.md', 'self'],
]);
const markdown = (text: string) => rewriteMarkdownLinks(text, 'posts/self.md', slugs);
const html = (text: string) => rewriteHtmlLinks(text, 'posts/self.md', slugs);

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
