import { renderPost } from './render-post.ts';
import type { Block } from './writer.ts';

const block = (kind: Block['kind'], more: Partial<Block> = {}): Block => ({
  kind,
  text: '',
  items: [],
  rows: [],
  sources: [],
  ...more,
});

const rendered = (...blocks: Block[]) =>
  renderPost({
    notice: null,
    outline: { title: 'Tea', sections: [{ heading: 'Water & leaves', points: [] }] },
    sections: [{ blocks }],
    sources: [],
  });

describe('the HTML of a post', () => {
  it('has headings of three levels, paragraphs, both kinds of lists, quotes and tables', () => {
    const html = rendered(
      block('subheading', { text: 'Water' }),
      block('minor_subheading', { text: 'Its heat' }),
      block('paragraph', { text: 'Not too hot.' }),
      block('list', { items: ['spring', 'tap'] }),
      block('numbered_list', { items: ['boil', 'wait'] }),
      block('quote', { text: 'Tea is water.' }),
      block('table', {
        rows: [
          ['Tea', 'Degrees'],
          ['green', '80'],
        ],
      }),
    );
    expect(html.split('\n')).toEqual([
      '<h2>Water &amp; leaves</h2>',
      '<h3>Water</h3>',
      '<h4>Its heat</h4>',
      '<p>Not too hot.</p>',
      '<ul><li>spring</li><li>tap</li></ul>',
      '<ol><li>boil</li><li>wait</li></ol>',
      '<blockquote><p>Tea is water.</p></blockquote>',
      '<table><thead><tr><th>Tea</th><th>Degrees</th></tr></thead><tbody><tr><td>green</td><td>80</td></tr></tbody></table>',
    ]);
  });

  it('gives each row of a table as many cells as its head has', () => {
    expect(rendered(block('table', { rows: [['a', 'b'], ['1'], ['1', '2', '3']] }))).toContain(
      '<tbody><tr><td>1</td><td></td></tr><tr><td>1</td><td>2</td></tr></tbody>',
    );
  });

  it('has all texts escaped', () => {
    const evil = '<b>"&';
    const html = rendered(
      ...(['subheading', 'minor_subheading', 'paragraph', 'quote'] as const).map((kind) => block(kind, { text: evil })),
      block('list', { items: [evil] }),
      block('table', { rows: [[evil], [evil]] }),
    );
    expect(html).not.toContain('<b>');
    expect(html.split('&lt;b&gt;&quot;&amp;')).toHaveLength(8);
  });
});
