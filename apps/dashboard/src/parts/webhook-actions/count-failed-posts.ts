import type { Delivery } from '../../generated/types.gen.ts';
import { firstOfEach } from '../lists/first-of-each.ts';

type Logged = Pick<Delivery, 'blog_id' | 'kind' | 'status'>;

/** Posts whose newest delivery to a webhook failed, of its log, newest first. Tests are of no post. */
export function countFailedPosts(log: readonly Logged[]): number {
  const ofPosts = log.flatMap(({ blog_id: post, kind, status }) =>
    post === null || kind === 'test' || kind === 'sample' || status === 'superseded' ? [] : [{ post, status }],
  );
  return firstOfEach(ofPosts, ({ post }) => post).filter(({ status }) => status === 'failed').length;
}
