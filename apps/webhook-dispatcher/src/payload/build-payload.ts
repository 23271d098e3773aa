import {
  compileContent,
  resolveLinks,
  urlWithoutPlaceholders,
  withoutPlaceholders,
  imageIdentity,
  tokenizeHtml,
  type Tag,
} from '@blog-content/link-resolver';
import {
  type BlogBody,
  effectOf,
  extras,
  resolveReferences,
  type VisibilityEvent,
  showsBlog,
  type ShowingEvent,
  type WebhookBody,
  type webhookImage,
} from '@blog-content/payload-schemas';
import { decodeHTMLAttribute } from 'entities';
import type { z } from 'zod';

/** The webhook events that a lifecycle event can become. */
export type BlogEventName = Exclude<WebhookBody['event'], 'test.ping'>;

/**
 * Names the webhook event for one receiver: a publish is `blog.published` until the receiver has the blog and
 * `blog.updated` from then on (contract §3.1).
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
  /** Whether the receiver may get it more than once: then it can tell by the body (contract §6.4). */
  readonly retries: boolean;
  /** Names of the fields that the receiver gets because its webhook asks for them; none by default. */
  readonly fields?: readonly string[];
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
    ...extras.for('webhooks', revision),
    ...extras.requested('webhooks', context.fields ?? [], { ...revision, data: dataOf(event) }),
    published_at: event.published_at,
    images,
  };
  if (!context.retries) return body;
  return { ...body, idempotency_key: `${event.blog_id}:${event.publish_id}`, publish_attempt: context.attempt };
}

/** The values of the project's data fields, with where references lead. */
function dataOf({ blog_id: self, revision, published_link_targets }: ShowingEvent) {
  const targets = new Map(published_link_targets.map((target) => [target.blog_id, target.current_slug ?? target.slug]));
  return resolveReferences(revision.data ?? {}, (id) => (id === self ? revision.slug : targets.get(id)));
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
    published_link_targets.map(({ slug, title, current_slug: current = slug, translation }) => [
      slug,
      translation ?? { title, slug: current },
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

/**
 * Longest `excerpt_short`, the ellipsis included, in characters (Unicode code points; contract §2.5 says roughly 256).
 */
const MAX_EXCERPT_SHORT = 256;
/** A character has one UTF-16 unit or two. */
const MAX_UNITS = 2;

/** The excerpt when it is short enough, else its beginning up to a word boundary, with `…` (contract §2.4.5). */
export function cutExcerpt(excerpt: string): string {
  const characters = [...excerpt.slice(0, (MAX_EXCERPT_SHORT + 1) * MAX_UNITS)];
  if (characters.length <= MAX_EXCERPT_SHORT) return excerpt;
  // One character is for the ellipsis; the one after the cut tells whether the cut itself is a word boundary.
  const head = characters.slice(0, MAX_EXCERPT_SHORT);
  const boundary = /^(.*\S)\s/su.exec(head.join(''))?.[1];
  return `${boundary ?? head.slice(0, -1).join('')}…`;
}

/** At most so many UTF-16 units of a text from its beginning, no character cut in two. */
export function cut(text: string, maxUnits: number): string {
  // Through a surrogate pair it would leave half a character.
  return text.length <= maxUnits ? text : text.slice(0, maxUnits).replace(/[\uD800-\uDBFF]$/, '');
}

type WebhookImage = z.infer<typeof webhookImage>;

/**
 * Lists the `<img>`s of `content` in document order, duplicates collapsed (contract §2.5). `url` is the text between
 * the quotes of `src`, character for character, because receivers search `content` for it (contract §6.6); `alt` is
 * decoded. URLs are the same when they are once percent-escapes are normalised. The hero is never among them: a
 * receiver handles it by itself.
 */
export function findImages(content: string, heroUrl: string | null): WebhookImage[] {
  const images = new Map<string, WebhookImage>();
  const hero = heroUrl === null ? null : imageIdentity(heroUrl);
  for (const token of tokenizeHtml(content)) {
    if (token.kind !== 'tag' || token.name !== 'img' || token.closing) continue;
    const url = writtenValue(content, token, 'src');
    if (url === '') continue;
    const identity = imageIdentity(decodeHTMLAttribute(url));
    if (images.has(identity) || identity === hero) continue;
    images.set(identity, { url, alt: decodeHTMLAttribute(writtenValue(content, token, 'alt')) });
  }
  return [...images.values()];
}

/** The value of the tag's first attribute of that name as written; '' when there is none. */
function writtenValue(content: string, { attributes }: Tag, name: string): string {
  const attribute = attributes.find((candidate) => candidate.name === name);
  return attribute === undefined ? '' : content.slice(attribute.valueStart, attribute.valueEnd);
}
