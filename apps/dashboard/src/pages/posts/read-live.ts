import type { Publish } from '../../generated/types.gen.ts';
import { countReceivers } from '../publishing/count-receivers.ts';

export interface LivePost {
  /** Destinations that didn't get it. */
  readonly failed: number;
  /** Where a destination says that it is. */
  readonly url: string | null;
}
export type LivePosts = ReadonlyMap<string, LivePost>;

type Told = Pick<Publish, 'blog_id' | 'live'> & {
  readonly deliveries: readonly Pick<Publish['deliveries'][number], 'status' | 'recovered_at' | 'live_url'>[];
};

/** By post: the publish that is live, of publishes that are listed newest first. */
export function readLive(publishes: readonly Told[]): LivePosts {
  const found = new Map<string, LivePost>();
  for (const { blog_id: blogId, live, deliveries } of publishes) {
    if (!live || found.has(blogId)) continue;
    const { failed } = countReceivers(deliveries);
    found.set(blogId, { failed, url: deliveries.find(({ live_url: url }) => url !== null)?.live_url ?? null });
  }
  return found;
}
