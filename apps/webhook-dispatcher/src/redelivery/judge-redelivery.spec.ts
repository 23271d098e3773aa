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
  it('is allowed for a published post, also from a redelivery', () => {
    expect([judge(), judge({ event: 'blog.published' }), judge({ kind: 'redelivery' })]).toEqual([null, null, null]);
  });

  it('is refused for a post that was unpublished or deleted since, so that the receiver does not get it back', () => {
    for (const newest of ['blog.unpublished', 'blog.deleted'] as const) {
      expect(judge({ newest })).toBe('not_published');
      expect(judge({ newest, event: 'blog.published' })).toBe('not_published');
    }
  });

  it('brings nothing back that is gone, for any event of a post, even one that is new here', () => {
    expect(judge({ event: 'blog.featured', newest: 'blog.unpublished' })).toBe('not_published');
  });

  it('is allowed for an unpublish or a delete', () => {
    expect(judge({ event: 'blog.unpublished', newest: 'blog.unpublished' })).toBeNull();
    expect(judge({ event: 'blog.deleted', newest: 'blog.deleted' })).toBeNull();
    expect(judge({ event: 'blog.unpublished', newest: 'blog.deleted' })).toBeNull();
  });

  it('sends a post that is published again after a failed unpublish', () => {
    expect(judge({ event: 'blog.unpublished', newest: 'blog.published' })).toBeNull();
  });

  it('is refused while another delivery of the blog to the receiver has not ended', () => {
    expect(judge({ isUnderWay: true })).toBe('not_ended');
  });

  it('is refused for a receiver that is switched off or deleted', () => {
    expect(judge({ isActive: false })).toBe('integration_inactive');
  });

  it('is refused for tests, which have no blog', () => {
    expect([judge({ kind: 'test', newest: null }), judge({ kind: 'sample', newest: null })]).toEqual([
      'not_of_a_blog',
      'not_of_a_blog',
    ]);
  });

  it('is refused when today’s content is unknown', () => {
    expect(judge({ newest: null })).toBe('content_unknown');
  });

  it('is refused as a conflict that says why', () => {
    expect(refusalConflict('not_published')).toMatchObject({
      status: 409,
      detail: expect.stringContaining('no longer'),
    });
  });
});
