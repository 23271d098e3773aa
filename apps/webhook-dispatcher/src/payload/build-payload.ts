import { compileContent, resolveLinks, urlWithoutPlaceholders, withoutPlaceholders } from '@blog-content/link-resolver';
import {
  type BlogBody,
  effectOf,
  type VisibilityEvent,
  showsBlog,
  type ShowingEvent,
  type WebhookBody,
} from '@blog-content/payload-schemas';
import { cutExcerpt } from './cut-excerpt.ts';
import { findImages } from './find-images.ts';

/** The webhook events that a lifecycle event can become. */
export type BlogEventName = Exclude<WebhookBody['event'], 'test.ping'>;

/**
 * Names the webhook event for one receiver: a publish is `blog.published` until the receiver has the blog and
 * `blog.updated` from then on (contract §3, "Lifecycle").
 */
export function chooseEvent(lifecycle: VisibilityEvent['event'], receiverHasBlog: boolean): BlogEventName {
  return effectOf(lifecycle) === 'shows' && receiverHasBlog ? 'blog.updated' : lifecycle;
}

export interface PayloadContext {
  /** Whether a delivery of this blog to this receiver has succeeded since the last delivered unpublish. */
  readonly receiverHasBlog: boolean;
  /** The slug that the receiver has it under; null where that is not known. */
  readonly receiverSlug: string | null;
  /** 1 for the first attempt of the delivery. */
  readonly attempt: number;
}

/** The webhook body of a lifecycle event for one receiver (contract §2.5). `render` may know the content already. */
export function buildPayload(
  event: VisibilityEvent,
  context: PayloadContext,
  render: (event: ShowingEvent) => RenderedContent = renderContent,
): WebhookBody {
  if (!showsBlog(event)) {
    return { event: event.event, blog_id: event.blog_id, title: withoutPlaceholders(event.title) };
  }
  const { revision } = event;
  const excerpt = withoutPlaceholders(revision.excerpt);
  const { content, images } = render(event);
  const body: BlogBody = {
    event: context.receiverHasBlog ? 'blog.updated' : event.event,
    blog_id: event.blog_id,
    title: withoutPlaceholders(revision.title),
    slug: revision.slug,
    ...previousSlug(revision.slug, context),
    content,
    excerpt,
    excerpt_short: cutExcerpt(excerpt),
    meta_title: withoutPlaceholders(revision.meta_title),
    meta_description: withoutPlaceholders(revision.meta_description),
    featured_image_url: urlWithoutPlaceholders(revision.featured_image_url),
    categories: withoutPlaceholders(revision.categories),
    tags: withoutPlaceholders(revision.tags),
    keyword: withoutPlaceholders(revision.keyword),
    published_at: event.published_at,
    images,
  };
  if (event.trigger !== 'autopilot') return body;
  return { ...body, idempotency_key: `${event.blog_id}:${event.publish_id}`, publish_attempt: context.attempt };
}

/** Present only when the receiver has the blog under another slug than the one that this body brings. */
export function previousSlug(
  slug: string,
  { receiverHasBlog, receiverSlug }: Pick<PayloadContext, 'receiverHasBlog' | 'receiverSlug'>,
): { previous_slug?: string } {
  return receiverHasBlog && receiverSlug !== null && receiverSlug !== slug ? { previous_slug: receiverSlug } : {};
}

/** What all receivers of an event get. */
export type RenderedContent = Pick<BlogBody, 'content' | 'images'>;

/** Resolves the links of a post's content, and lists its images. */
export function renderContent(event: ShowingEvent): RenderedContent {
  const { revision, site_url: siteUrl, published_link_targets } = event;
  const targets = new Map(
    published_link_targets.map(({ slug, title, current_slug: current }) => [
      slug,
      current === undefined ? { title } : { title, slug: current },
    ]),
  );
  const content = resolveLinks(compileContent(revision.content), { siteUrl, targets, self: revision.slug });
  return { content, images: findImages(content, urlWithoutPlaceholders(revision.featured_image_url)) };
}

/** About how many bytes a body comes to that has not been built: what its author wrote, without what links add. */
export function expectedBytes(event: VisibilityEvent): number {
  return showsBlog(event) ? Buffer.byteLength(event.revision.content) : 0;
}

/** The bytes to sign and to send: the same ones (contract §5.2.3). */
export function encodePayload(body: WebhookBody): Uint8Array {
  return Buffer.from(JSON.stringify(body), 'utf8');
}
