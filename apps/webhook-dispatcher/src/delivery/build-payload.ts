import { compileContent, resolveLinks } from '@blog-content/link-resolver';
import type { BlogBody, LifecycleEvent, WebhookBody } from '@blog-content/payload-schemas';
import { cutExcerpt } from './cut-excerpt.ts';
import { findImages } from './find-images.ts';

/** The webhook events that a lifecycle event can become. */
export type BlogEventName = Exclude<WebhookBody['event'], 'test.ping'>;

/**
 * Names the webhook event for one receiver: a publish is `blog.published` until the receiver has the blog and
 * `blog.updated` from then on (spec §3; decisions "Lifecycle").
 */
export function chooseEvent(lifecycle: LifecycleEvent['event'], receiverHasBlog: boolean): BlogEventName {
  return lifecycle === 'blog.published' && receiverHasBlog ? 'blog.updated' : lifecycle;
}

export interface PayloadContext {
  /** Whether a delivery of this blog to this receiver has succeeded since the last delivered unpublish. */
  readonly receiverHasBlog: boolean;
  /** 1 for the first attempt of the delivery. */
  readonly attempt: number;
}

/** The webhook body of a lifecycle event for one receiver (spec §2.5). */
export function buildPayload(event: LifecycleEvent, context: PayloadContext): WebhookBody {
  if (event.event !== 'blog.published') return { event: event.event, blog_id: event.blog_id, title: event.title };
  const { revision } = event;
  const content = resolveLinks(compileContent(revision.content), {
    siteUrl: event.site_url,
    targets: new Map(event.published_link_targets.map((target) => [target.slug, { title: target.title }])),
    self: revision.slug,
  });
  const body: BlogBody = {
    event: context.receiverHasBlog ? 'blog.updated' : 'blog.published',
    blog_id: event.blog_id,
    title: revision.title,
    slug: revision.slug,
    content,
    excerpt: revision.excerpt,
    excerpt_short: cutExcerpt(revision.excerpt),
    meta_title: revision.meta_title,
    meta_description: revision.meta_description,
    featured_image_url: revision.featured_image_url,
    categories: revision.categories,
    tags: revision.tags,
    keyword: revision.keyword,
    published_at: event.published_at,
    images: findImages(content, revision.featured_image_url),
  };
  if (event.trigger !== 'autopilot') return body;
  return { ...body, idempotency_key: `${event.blog_id}:${event.publish_id}`, publish_attempt: context.attempt };
}

/** The bytes to sign and to send: the same ones (spec §5.2.3). */
export function encodePayload(body: WebhookBody): Uint8Array {
  return Buffer.from(JSON.stringify(body), 'utf8');
}
