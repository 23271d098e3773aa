import { newDraft, type Written } from '../blogs/draft.ts';
import { diffWritten } from './diff-written.ts';

const written = (fields: Partial<Written>): Written => ({
  ...newDraft({ title: 'Title' }),
  slug: 'title',
  ...fields,
});

describe('the difference between two states of a blog', () => {
  it('is empty for the same', () => {
    const state = written({ content: '<p>a</p>' });
    expect(diffWritten(state, state)).toEqual({ fields: [], content: [{ change: 'same', html: '<p>a</p>' }] });
  });

  it('names changed fields with what they were and are', () => {
    const { fields } = diffWritten(written({ tags: ['a'] }), written({ title: 'New', tags: ['a', 'b'] }));
    expect(fields).toEqual([
      { field: 'title', before: 'Title', after: 'New' },
      { field: 'tags', before: ['a'], after: ['a', 'b'] },
    ]);
  });

  it('cuts the content into blocks', () => {
    const before = written({ content: '<p>a</p><p>b</p><ul><li>c</li></ul>' });
    const after = written({ content: '<p>a</p><p>B</p><ul><li>c</li></ul>' });
    expect(diffWritten(before, after).content).toEqual([
      { change: 'same', html: '<p>a</p>' },
      { change: 'removed', html: '<p>b</p>' },
      { change: 'added', html: '<p>B</p>' },
      { change: 'same', html: '<ul><li>c</li></ul>' },
    ]);
  });

  it('gives back both contents, piece by piece', () => {
    const [a, b] = ['<p>1</p>text<br />x<p>2</p>\n<hr />', 'y<p>2</p>\n<p>3</p>'];
    const { content } = diffWritten(written({ content: a }), written({ content: b }));
    const join = (...changes: string[]) =>
      content
        .filter(({ change }) => changes.includes(change))
        .map(({ html }) => html)
        .join('');
    expect([join('same', 'removed'), join('same', 'added')]).toEqual([a, b]);
  });

  it('calls a content with thousands of changes rewritten', () => {
    const many = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `<p>${letter}${index}</p>`).join('');
    const { content } = diffWritten(written({ content: many('a') }), written({ content: many('b') }));
    expect(content.map(({ change }) => change)).toEqual(['removed', 'added']);
  });
});
