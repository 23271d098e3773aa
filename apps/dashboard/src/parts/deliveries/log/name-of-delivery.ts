import type { Delivery } from '../../../generated/types.gen.ts';
import { webhookLog as text } from '../../../strings/sites/webhook-log.ts';

/** What people call a delivery: the title of its post, or what it tests. */
export function nameOfDelivery(
  { kind, blog_id, event }: Pick<Delivery, 'kind' | 'blog_id' | 'event'>,
  titles: ReadonlyMap<string, string>,
): string {
  if (kind === 'sample') return text.sample;
  if (kind === 'test') return text.events[event] ?? event;
  return titles.get(blog_id ?? '') ?? text.deletedPost;
}
