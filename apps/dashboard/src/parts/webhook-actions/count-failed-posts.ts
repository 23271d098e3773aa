import type { Delivery } from '../../generated/types.gen.ts';

type Logged = Pick<Delivery, 'blog_id' | 'kind' | 'status'>;

/** Posts whose newest delivery to a webhook failed, of its log, newest first. Tests are of no post. */
export function countFailedPosts(log: readonly Logged[]): number {
  const newest = new Map<string, Logged>();
  for (const delivery of log) {
    const { blog_id: post, kind, status } = delivery;
    if (post === null || kind === 'test' || kind === 'sample' || status === 'superseded') continue;
    if (!newest.has(post)) newest.set(post, delivery);
  }
  return [...newest.values()].filter(({ status }) => status === 'failed').length;
}
