import { referencesIn, resolveReferences } from './data-references.ts';

const ID = '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10';
const OTHER = '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a11';
const data = {
  next: { post_id: ID },
  again: { post_id: ID.toUpperCase() },
  gone: { post_id: OTHER },
  rating: 4,
  facts: { post_id: ID, more: true },
  list: [{ post_id: ID }],
  nothing: null,
};

describe('references in data', () => {
  it('are values with the id of a post alone', () => {
    expect(referencesIn(data)).toEqual([ID, OTHER]);
  });

  it('become the id and slug of published posts, and null for others', () => {
    const { next: _next, again: _again, gone: _gone, ...others } = data;
    expect(resolveReferences(data, (id) => (id === ID ? 'green-tea' : undefined))).toEqual({
      next: { id: ID, slug: 'green-tea' },
      again: { id: ID, slug: 'green-tea' },
      gone: null,
      ...others,
    });
  });
});
