import { excessOf } from './html-limits.ts';

describe('the limits of HTML', () => {
  it.each([
    ['elements that the cleaning leaves out', '<svg>'.repeat(99_800)],
    ['elements that stay', '<b>'.repeat(166_000)],
    ['lists', '<ul><li>'.repeat(60_000)],
    ['attributes between them', '<i class="a">'.repeat(30_000)],
  ])('refuse %s nested more than 200 levels deep', (_case, html) => {
    expect(excessOf(html)).toBe('has elements nested more than 200 levels deep');
  });

  it('refuse more than 25,000 elements', () => {
    expect(excessOf('<b>a</b>'.repeat(25_000))).toBeNull();
    expect(excessOf('<b>a</b>'.repeat(25_001))).toBe('has more than 25000 elements');
    expect(excessOf('<br>'.repeat(25_001))).toBe('has more than 25000 elements');
  });

  it('count elements as closed that HTML closes without an end tag', () => {
    expect(
      excessOf(`<ul>${'<li>a'.repeat(5_000)}</ul>${'<p>b'.repeat(5_000)}<table>${'<tr><td>c'.repeat(5_000)}`),
    ).toBe(null);
  });

  it('leave room for a long post: a table of a thousand rows, code with a span for each word', () => {
    const table = `<table>${`<tr>${'<td>1</td>'.repeat(17)}</tr>`.repeat(1_000)}</table>`;
    const code = `<pre><code>${'<span class="k">const</span> '.repeat(5_000)}</code></pre>`;
    expect(excessOf(table + code)).toBeNull();
    expect(excessOf('<div>'.repeat(200))).toBeNull();
  });
});
