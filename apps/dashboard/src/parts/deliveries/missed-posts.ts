import type { Integration, Publish } from '../../generated/types.gen.ts';
import { firstOfEach } from '../lists/first-of-each.ts';

/** The newest publish of each post. Older ones don't count, because a newer one has the newer text. */
const newestOfPosts = (newestFirst: readonly Publish[]) => firstOfEach(newestFirst, ({ blog_id: post }) => post);

type Created = Pick<Integration, 'id' | 'created_at'>;

/** Whether a publish is not sent to a webhook that was there before it: it was paused then. */
export const isMissing = ({ id, created_at: createdAt }: Created, { status, requested_at: at, deliveries }: Publish) =>
  status !== 'pending' &&
  Date.parse(at) > Date.parse(createdAt) &&
  !deliveries.some(({ integration_id: of }) => of === id);

/** Publishes of live posts that a webhook has not got, because it was paused then. */
export const missedBy = (webhook: Created, newestFirst: readonly Publish[]): readonly Publish[] =>
  newestOfPosts(newestFirst).filter((publish) => publish.blog_state === 'published' && isMissing(webhook, publish));

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
