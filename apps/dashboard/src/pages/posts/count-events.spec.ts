import { countEvents } from './count-events.ts';

const posts = [
  { id: 'a', state: 'published' },
  { id: 'b', state: 'draft' },
  { id: 'c', state: 'unpublished' },
] as const;

describe('what receivers are told of several posts', () => {
  it('is blog.updated of what is published already, and blog.published of the others', () => {
    expect(countEvents('publish', posts)).toEqual({
      events: [
        { event: 'blog.published', posts: 2 },
        { event: 'blog.updated', posts: 1 },
      ],
      ids: ['a', 'b', 'c'],
    });
  });

  it('is blog.unpublished of what is published; the others are left out', () => {
    expect(countEvents('unpublish', posts)).toEqual({ events: [{ event: 'blog.unpublished', posts: 1 }], ids: ['a'] });
  });

  it('is nothing where nothing is published', () => {
    expect(countEvents('unpublish', posts.slice(1))).toEqual({ events: [], ids: [] });
  });
});
