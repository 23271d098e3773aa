import type { PostEvent, WebhookEvent } from './events.ts';

/** Whether an event brings a post. */
const EVENTS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({
    'blog.published': true,
    'blog.updated': true,
    'blog.unpublished': false,
    'blog.deleted': false,
    'test.ping': false,
  } satisfies { [Name in WebhookEvent['event']]: Name extends PostEvent['event'] ? true : false }),
);
const BLOG_ID = /^(preview-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The event that a verified body holds, or why it holds none. Fields that are new are kept. */
export function readEvent(body: Uint8Array): { readonly event: WebhookEvent } | { readonly problem: string } {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return { problem: 'the body is not JSON' };
  }
  if (typeof event !== 'object' || event === null) return { problem: 'the body is not a JSON object' };
  const { event: name, blog_id, published_at } = event as Record<string, unknown>;
  if (typeof name !== 'string' || !EVENTS.has(name)) return { problem: 'unknown event' };
  if (name === 'test.ping') return { event: event as WebhookEvent };
  if (typeof blog_id !== 'string' || !BLOG_ID.test(blog_id)) return { problem: 'blog_id is not a UUID' };
  if (EVENTS.get(name) && !(typeof published_at === 'string' && Number.isFinite(Date.parse(published_at)))) {
    return { problem: 'published_at is not a timestamp' };
  }
  return { event: event as WebhookEvent };
}
