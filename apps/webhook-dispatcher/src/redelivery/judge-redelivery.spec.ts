import { judgeRedelivery, refusalConflict, type RedeliveryRequest } from './judge-redelivery.ts';

const allowed: RedeliveryRequest = {
  kind: 'lifecycle',
  event: 'blog.updated',
  isActive: true,
  isUnderWay: false,
  newest: 'blog.published',
};
const judge = (changes: Partial<RedeliveryRequest> = {}) => judgeRedelivery({ ...allowed, ...changes });

describe('a redelivery', () => {
  it('is allowed of a post that is published, from a redelivery too', () => {
    expect([judge(), judge({ event: 'blog.published' }), judge({ kind: 'redelivery' })]).toEqual([null, null, null]);
  });

  it('is refused of a post that has been unpublished or deleted since: the receiver must not get it back', () => {
    for (const newest of ['blog.unpublished', 'blog.deleted'] as const) {
      expect(judge({ newest })).toBe('not_published');
      expect(judge({ newest, event: 'blog.published' })).toBe('not_published');
    }
  });

  it('brings nothing back that is gone, for any event of a post, even one that is new here', () => {
    expect(judge({ event: 'blog.featured', newest: 'blog.unpublished' })).toBe('not_published');
  });

  it('is allowed of the news that a post is gone', () => {
    expect(judge({ event: 'blog.unpublished', newest: 'blog.unpublished' })).toBeNull();
    expect(judge({ event: 'blog.deleted', newest: 'blog.deleted' })).toBeNull();
    expect(judge({ event: 'blog.unpublished', newest: 'blog.deleted' })).toBeNull();
  });

  it('brings a post that is published again, when it was the news of its end that failed', () => {
    expect(judge({ event: 'blog.unpublished', newest: 'blog.published' })).toBeNull();
  });

  it('is refused while another delivery of the blog to the receiver has not ended', () => {
    expect(judge({ isUnderWay: true })).toBe('not_ended');
  });

  it('is refused for a receiver that is switched off or deleted', () => {
    expect(judge({ isActive: false })).toBe('integration_inactive');
  });

  it('is refused of tests, which are of no blog', () => {
    expect([judge({ kind: 'test', newest: null }), judge({ kind: 'sample', newest: null })]).toEqual([
      'not_of_a_blog',
      'not_of_a_blog',
    ]);
  });

  it('is refused when today’s content is not known', () => {
    expect(judge({ newest: null })).toBe('content_unknown');
  });

  it('is refused as a conflict that says why', () => {
    expect(refusalConflict('not_published')).toMatchObject({
      status: 409,
      detail: expect.stringContaining('no longer'),
    });
  });
});
