import { diffContent } from './diff-content.ts';

describe('the difference between two contents', () => {
  it('cuts the content into blocks', () => {
    expect(diffContent('<p>a</p><p>b</p><ul><li>c</li></ul>', '<p>a</p><p>B</p><ul><li>c</li></ul>')).toEqual([
      { change: 'same', html: '<p>a</p>' },
      { change: 'removed', html: '<p>b</p>' },
      { change: 'added', html: '<p>B</p>' },
      { change: 'same', html: '<ul><li>c</li></ul>' },
    ]);
  });

  it('contains both contents, piece by piece', () => {
    const [a, b] = ['<p>1</p>text<br />x<p>2</p>\n<hr />', 'y<p>2</p>\n<p>3</p>'];
    const content = diffContent(a, b);
    const join = (...changes: string[]) =>
      content
        .filter(({ change }) => changes.includes(change))
        .map(({ html }) => html)
        .join('');
    expect([join('same', 'removed'), join('same', 'added')]).toEqual([a, b]);
  });

  it('calls a content with thousands of changes rewritten', () => {
    const many = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `<p>${letter}${index}</p>`).join('');
    const content = diffContent(many('a'), many('b'));
    expect(content.map(({ change }) => change)).toEqual(['removed', 'added']);
  });
});
