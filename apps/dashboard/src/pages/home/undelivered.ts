import type { Publish } from '../../generated/types.gen.ts';

export interface Undelivered {
  readonly publish: Publish;
  readonly failed: readonly Publish['deliveries'][number][];
}

/**
 * The newest publish of each post that a destination still lacks. Older ones don't count, because a newer one has the
 * newer text; nor do posts that were unpublished or deleted.
 */
export function undeliveredOf(publishes: readonly Publish[]): readonly Undelivered[] {
  const newest = new Map<string, Publish>();
  for (const publish of publishes) if (!newest.has(publish.blog_id)) newest.set(publish.blog_id, publish);
  return [...newest.values()].flatMap((publish) => {
    const failed = publish.deliveries.filter(({ status, recovered_at: at }) => status === 'failed' && at === null);
    return failed.length === 0 || publish.blog_state !== 'published' ? [] : [{ publish, failed }];
  });
}
