import { whatDeletingDoes } from './what-deleting-does.ts';

describe('deleting an image', () => {
  it('is forced, and breaks published posts, while readers see it', () => {
    expect(whatDeletingDoes([{ published: false }, { published: true }])).toEqual({
      kind: 'published',
      force: true,
      posts: 1,
    });
  });

  it('is not forced while only drafts and revisions have it', () => {
    expect(whatDeletingDoes([{ published: false }])).toEqual({ kind: 'used', force: false });
  });

  it('has no effect elsewhere if nothing uses it', () => {
    expect(whatDeletingDoes([])).toEqual({ kind: 'unused', force: false });
  });
});
