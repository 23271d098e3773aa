import type { Publish } from '../../generated/types.gen.ts';
import { newestOfPosts } from '../../parts/deliveries/missed-posts.ts';

export interface Undelivered {
  readonly publish: Publish;
  readonly failed: readonly Publish['deliveries'][number][];
}

/** The newest publish of each live post that a destination still lacks. */
export function undeliveredOf(publishes: readonly Publish[]): readonly Undelivered[] {
  return newestOfPosts(publishes).flatMap((publish) => {
    const failed = publish.deliveries.filter(({ status, recovered_at: at }) => status === 'failed' && at === null);
    return failed.length === 0 || publish.blog_state !== 'published' ? [] : [{ publish, failed }];
  });
}
