import { compileContent, resolveLinks, urlWithoutPlaceholders, withoutPlaceholders } from '@blog-content/link-resolver';
import {
  type BlogBody,
  effectOf,
  type LifecycleEvent,
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
 * `blog.updated` from then on (spec §3; decisions "Lifecycle").
 */
export function chooseEvent(lifecycle: LifecycleEvent['event'], receiverHasBlog: boolean): BlogEventName {
  return effectOf(lifecycle) === 'shows' && receiverHasBlog ? 'blog.updated' : lifecycle;
}

export interface PayloadContext {
  /** Whether a delivery of this blog to this receiver has succeeded since the last delivered unpublish. */
  readonly receiverHasBlog: boolean;
  /** 1 for the first attempt of the delivery. */
  readonly attempt: number;
}

/** The webhook body of a lifecycle event for one receiver (spec §2.5). */
export function buildPayload(event: LifecycleEvent, context: PayloadContext): WebhookBody {
  // Events of before have plain texts as their author wrote them.
  if (!showsBlog(event)) {
    return { event: event.event, blog_id: event.blog_id, ...withoutPlaceholders({ title: event.title }) };
  }
  const { title, excerpt, meta_title, meta_description, categories, tags, keyword } = event.revision;
  const texts = { title, excerpt, meta_title, meta_description, categories, tags, keyword };
  const revision = { ...event.revision, ...withoutPlaceholders(texts) };
  const { content, images } = renderOnce(event);
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
    featured_image_url: urlWithoutPlaceholders(revision.featured_image_url),
    categories: revision.categories,
    tags: revision.tags,
    keyword: revision.keyword,
    published_at: event.published_at,
    images,
  };
  if (event.trigger !== 'autopilot') return body;
  return { ...body, idempotency_key: `${event.blog_id}:${event.publish_id}`, publish_attempt: context.attempt };
}

type RenderedContent = Pick<BlogBody, 'content' | 'images'>;

/** Larger contents are kept only while an attempt holds them: the event cache counts what authors wrote. */
const KEPT_BYTES = 32 * 1024;

/** All receivers of an event get the same content: it is made once, for as long as the event is cached. */
const rendered = new WeakMap<ShowingEvent['revision'], RenderedContent | WeakRef<RenderedContent>>();

function renderOnce({ revision, site_url: siteUrl, published_link_targets }: ShowingEvent): RenderedContent {
  const known = strong(rendered.get(revision));
  if (known !== undefined) return known;
  const links = {
    siteUrl,
    targets: new Map(published_link_targets.map((target) => [target.slug, { title: target.title }])),
    self: revision.slug,
  };
  const content = resolveLinks(compileContent(revision.content), links);
  const made = { content, images: findImages(content, urlWithoutPlaceholders(revision.featured_image_url)) };
  rendered.set(revision, content.length <= KEPT_BYTES ? made : new WeakRef(made));
  return made;
}

function strong<Value extends object>(known: Value | WeakRef<Value> | undefined): Value | undefined {
  return known instanceof WeakRef ? known.deref() : known;
}

/**
 * Makes what all bodies of these events have in common ahead of their deliveries, which wait for the acknowledgement
 * meanwhile. One event a turn, so that other work is not held up.
 */
export function prepareContents(events: readonly LifecycleEvent[]): void {
  let index = 0;
  const prepareNext = () => {
    const event = events[index];
    if (event === undefined) return;
    index += 1;
    try {
      if (showsBlog(event)) renderOnce(event);
    } catch {
      // The delivery meets it again, and says so.
    }
    setImmediate(prepareNext);
  };
  setImmediate(prepareNext);
}

/** A body to sign and to send, and the event it is of. */
export interface EncodedBody {
  readonly event: WebhookBody['event'];
  readonly body: Uint8Array;
}

const encoded = new WeakMap<LifecycleEvent, Map<string, Uint8Array | WeakRef<Uint8Array>>>();

/** {@link buildPayload} in bytes, which are made once for all receivers that get the same ones. */
export function buildBody(event: LifecycleEvent, context: PayloadContext): EncodedBody {
  const ofEvent = encoded.get(event) ?? new Map<string, Uint8Array | WeakRef<Uint8Array>>();
  const name = chooseEvent(event.event, context.receiverHasBlog);
  const isSameForAll = event.trigger === 'manual';
  const key = isSameForAll ? name : `${name} ${context.attempt}`;
  const known = strong(ofEvent.get(key));
  if (known !== undefined) return { event: name, body: known };
  const body = encodePayload(buildPayload(event, context));
  ofEvent.set(key, isSameForAll && body.byteLength <= KEPT_BYTES ? body : new WeakRef(body));
  encoded.set(event, ofEvent);
  return { event: name, body };
}

/** About how many bytes a body comes to that has not been built: what its author wrote, without what links add. */
export function expectedBytes(event: LifecycleEvent): number {
  return showsBlog(event) ? Buffer.byteLength(event.revision.content) : 0;
}

/** The bytes to sign and to send: the same ones (spec §5.2.3). */
export function encodePayload(body: WebhookBody): Uint8Array {
  return Buffer.from(JSON.stringify(body), 'utf8');
}
