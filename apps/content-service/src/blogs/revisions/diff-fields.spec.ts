import { newDraft, type BlogFields } from '../writing/draft.ts';
import { diffFields } from './diff-fields.ts';

const written = (fields: Partial<BlogFields>): BlogFields => ({
  ...newDraft({ title: 'Title' }, {}),
  slug: 'title',
  ...fields,
});

describe('the fields that differ between two states of a blog', () => {
  it('are none for the same', () => {
    const state = written({ content: '<p>a</p>' });
    expect(diffFields(state, state)).toEqual([]);
  });

  it('are named with what they were and are', () => {
    const fields = diffFields(written({ tags: ['a'] }), written({ title: 'New', tags: ['a', 'b'] }));
    expect(fields).toEqual([
      { field: 'title', before: 'Title', after: 'New' },
      { field: 'tags', before: ['a'], after: ['a', 'b'] },
    ]);
  });
});
