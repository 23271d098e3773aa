import { isMarkdown, renderMarkdown } from './markdown.ts';

describe('isMarkdown', () => {
  it.each([
    '# A heading',
    '- one\n- two',
    '1. one\n2. two',
    'Some **bold** words',
    'A [link](https://example.com)',
    '```js\nlet x;\n```',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '> quoted\n> twice',
    'Type `npm start`.',
  ])('knows %j', (text) => {
    expect(isMarkdown(text)).toBe(true);
  });

  it.each([
    'Just a sentence.',
    '- a line of a dialog',
    '2 * 3 * 4 = 24',
    'snake_case_words and #hashtag',
    'https://example.com/a_b_c',
    '1984. It was a bright cold day.',
    'an array[0](x)',
  ])('leaves %j as it is', (text) => {
    expect(isMarkdown(text)).toBe(false);
  });

  it('renders headings, lists, code with its language, and no raw HTML', async () => {
    const html = await renderMarkdown('## Two\n\n- a\n- **b**\n\n```js\nlet x;\n```\n\n<script>x</script>');
    expect(html).toContain('<h2>Two</h2>');
    expect(html).toContain('<li><strong>b</strong></li>');
    expect(html).toContain('<code class="language-js">');
    expect(html).not.toContain('<script>');
  });
});
