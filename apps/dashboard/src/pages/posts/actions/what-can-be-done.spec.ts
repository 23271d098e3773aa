import { canRepublish, concerned, sortOut } from './what-can-be-done.ts';

const post = (state: 'draft' | 'published' | 'unpublished', published_at: string | null = null, changed = false) => ({
  state,
  published_at,
  has_unpublished_changes: changed,
});
const posts = [
  post('published', '2026-01-01T00:00:00Z'),
  post('draft'),
  post('unpublished'),
  post('draft', '2999-01-01T00:00:00Z'),
];

describe('an action on several posts', () => {
  it('unpublishes only what is published', () => {
    expect(concerned('unpublish', posts)).toEqual([posts[0]]);
    expect(concerned('delete', posts)).toEqual(posts);
  });

  it('publishes drafts, updates what is live, and schedules what has a later publication date', () => {
    expect(sortOut(posts)).toEqual({ live: 2, updates: 1, dated: 1 });
  });

  it('does not undo an unpublish that would make unpublished changes public', () => {
    expect(canRepublish(post('published'))).toBe(true);
    expect(canRepublish(post('published', null, true))).toBe(false);
  });
});
