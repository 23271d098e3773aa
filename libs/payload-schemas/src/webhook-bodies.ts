import { z } from 'zod';
import { doc, fields } from './fields.ts';
import { extras } from './extras/extra-fields.ts';
import { timestamp } from './primitives.ts';

/** An `<img>` of the body, `url` identical to its `src` in `content` (contract §2.5). */
export const webhookImage = z.object({
  url: fields.url,
  alt: z.string().meta(doc('Alternative text.', 'A cup of tea')),
});

const fullBody = {
  blog_id: z
    .union([z.uuid(), z.templateLiteral(['preview-', z.uuid()])])
    .meta(doc('ID of the post.', '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10')),
  title: z.string().meta(doc('Not HTML-escaped.', 'Green tea')),
  slug: fields.slug,
  content: z.string().meta(doc('HTML. The inline duplicate of the hero image is removed.', '<p>Hot water.</p>')),
  excerpt: z.string().meta(doc('Plain-text summary; may be empty.', 'About hot water.')),
  excerpt_short: z
    .string()
    .meta(doc('The excerpt, cut at a word boundary to at most 256 characters.', 'About hot water.')),
  meta_title: z.string().nullable().meta(doc('Title for search engines.', 'Green tea: how to')),
  meta_description: z.string().nullable().meta(doc('Description for search engines.', 'How hot the water should be.')),
  featured_image_url: fields.heroUrl,
  categories: z.array(z.string()).meta(doc('Category names.', ['Drinks'])),
  tags: z.array(z.string()).meta(doc('Tags.', ['tea', 'water'])),
  keyword: fields.keywordOrNull,
  ...extras.shapeFor('webhooks'),
  ...extras.shapeOnRequest('webhooks', 'Only if the webhook’s `settings.fields` name it.'),
  published_at: timestamp.describe('When this publish was finalized. The same on every retry.'),
  images: z
    .array(webhookImage)
    .meta(
      doc('All images in the body, in order.', [{ url: 'https://cdn.example.com/green-tea.jpg', alt: 'A cup of tea' }]),
    ),
  idempotency_key: z
    .string()
    .optional()
    .meta(
      doc(
        '`<blog_id>:<publish_id>`, the same on every attempt. Only if the publish is retried: by the autopilot, or with `retry_manual`.',
        '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10:7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10',
      ),
    ),
  publish_attempt: z
    .int()
    .min(1)
    .optional()
    .meta(doc('1, 2, 3, … Only if the publish is retried, like `idempotency_key`.', 1)),
};

/** First successful publish of a blog to the receiver (contract §6). */
export const blogPublishedBody = z.object({
  event: z.literal('blog.published').describe('The webhook event.'),
  ...fullBody,
});
/** Publish again, or content sync, of a blog that the receiver already has. */
export const blogUpdatedBody = z.object({
  event: z.literal('blog.updated').describe('The webhook event.'),
  ...fullBody,
  previous_slug: z
    .string()
    .optional()
    .describe('The slug this receiver has the post under, if different. Redirect from it to `slug`.'),
});

const compactBody = {
  blog_id: fields.blogId,
  title: fields.title,
};
export const blogUnpublishedBody = z.object({
  event: z.literal('blog.unpublished').describe('The webhook event.'),
  ...compactBody,
});
export const blogDeletedBody = z.object({
  event: z.literal('blog.deleted').describe('The webhook event.'),
  ...compactBody,
});

/** Test Connection: no blog fields. */
export const testPingBody = z.object({
  event: z.literal('test.ping').describe('The webhook event.'),
  message: z.string().meta(doc('Greeting.', 'Connection test from Blog Content Service.')),
  timestamp: timestamp.describe('When it was sent.'),
});

/** Any body that the service POSTs to a receiver (contract §2.5, §6). */
export const webhookBody = z.discriminatedUnion('event', [
  blogPublishedBody,
  blogUpdatedBody,
  blogUnpublishedBody,
  blogDeletedBody,
  testPingBody,
]);
export type WebhookBody = z.infer<typeof webhookBody>;
export type BlogBody = z.infer<typeof blogPublishedBody> | z.infer<typeof blogUpdatedBody>;
export type WebhookEventName = WebhookBody['event'];

/** What a receiver may answer (contract §4.4): of several names for the same, the first that has a value counts. */
export const receiverAnswerBody = z.object({
  ok: z.boolean().optional().describe('Whether the request succeeded. Only the HTTP status counts.'),
  skipped: z.boolean().optional().meta(doc('Set if nothing was written, for sample payloads.', false)),
  url: z
    .string()
    .optional()
    .meta(
      doc('Absolute http(s) URL of the post, stored as its live-post link.', 'https://tea.example.com/blog/green-tea/'),
    ),
  post_url: z.string().optional().meta(doc('Alias of `url`.', 'https://tea.example.com/blog/green-tea/')),
  permalink: z.string().optional().meta(doc('Alias of `url`.', 'https://tea.example.com/blog/green-tea/')),
  id: z.string().optional().meta(doc('The receiver’s ID for the post, stored with it.', '1024')),
  post_id: z.string().optional().meta(doc('Alias of `id`.', '1024')),
  external_id: z.string().optional().meta(doc('Alias of `id`.', '1024')),
});

/** What the service keeps of a receiver's answer (contract §4.4). */
export interface ReceiverAnswer {
  readonly url: string | null;
  readonly external_id: string | null;
}

const MAX_LIVE_URL = 2048;
const MAX_EXTERNAL_ID = 255;

/**
 * Reads the optional answer fields with their aliases from a receiver's parsed JSON body (contract §4.4): `url`,
 * `post_url`, `permalink`; `id`, `post_id`, `external_id`. Only absolute http(s) URLs of at most 2,048 characters,
 * normalised and without user info, and ids of at most 255 characters are kept (a number becomes its decimal string);
 * any other value is treated as absent.
 */
export function readReceiverAnswer(json: unknown): ReceiverAnswer {
  if (typeof json !== 'object' || json === null) return { url: null, external_id: null };
  const answer = json as Record<string, unknown>;
  return {
    url: firstKept([answer['url'], answer['post_url'], answer['permalink']], liveUrl),
    external_id: firstKept([answer['id'], answer['post_id'], answer['external_id']], externalId),
  };
}

function firstKept(candidates: unknown[], keep: (value: unknown) => string | null): string | null {
  for (const candidate of candidates) {
    const kept = keep(candidate);
    if (kept !== null) return kept;
  }
  return null;
}

function liveUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_LIVE_URL || !/^https?:\/\//i.test(value)) return null;
  const url = /\p{Cc}/u.test(value) || !value.isWellFormed() ? null : URL.parse(value);
  if (url === null) return null;
  url.username = '';
  url.password = '';
  return url.href.length <= MAX_LIVE_URL ? url.href : null;
}

function externalId(value: unknown): string | null {
  const id = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  return typeof id === 'string' && id !== '' && id.length <= MAX_EXTERNAL_ID ? id : null;
}
