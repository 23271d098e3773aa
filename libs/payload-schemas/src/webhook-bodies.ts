import { z } from 'zod';
import { extras } from './extras/extra-fields.ts';
import { timestamp } from './primitives.ts';

/** An `<img>` of the body, `url` identical to its `src` in `content` (contract §2.5). */
export const webhookImage = z.object({ url: z.string(), alt: z.string() });

const fullBody = {
  blog_id: z.union([z.uuid(), z.templateLiteral(['preview-', z.uuid()])]),
  title: z.string().describe('Not HTML-escaped.'),
  slug: z.string(),
  content: z.string().describe('HTML. The inline duplicate of the hero image is removed.'),
  excerpt: z.string(),
  excerpt_short: z.string().describe('The excerpt, cut at a word boundary to at most 256 characters.'),
  meta_title: z.string().nullable(),
  meta_description: z.string().nullable(),
  featured_image_url: z.string().nullable(),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  keyword: z.string().nullable(),
  ...extras.shapeFor('webhooks'),
  published_at: timestamp.describe('When this publish was finalized. The same on every retry.'),
  images: z.array(webhookImage),
  idempotency_key: z.string().optional().describe('`<blog_id>:<publish_id>`. Autopilot publishes only.'),
  publish_attempt: z.int().min(1).optional().describe('1, 2, 3, … Autopilot publishes only.'),
};

/** First successful publish of a blog to the receiver (contract §6). */
export const blogPublishedBody = z.object({ event: z.literal('blog.published'), ...fullBody });
/** Publish again, or content sync, of a blog that the receiver already has. */
export const blogUpdatedBody = z.object({
  event: z.literal('blog.updated'),
  ...fullBody,
  previous_slug: z
    .string()
    .optional()
    .describe('The slug this receiver has the post under, if different. Redirect from it to `slug`.'),
});

const compactBody = { blog_id: z.uuid(), title: z.string() };
export const blogUnpublishedBody = z.object({ event: z.literal('blog.unpublished'), ...compactBody });
export const blogDeletedBody = z.object({ event: z.literal('blog.deleted'), ...compactBody });

/** Test Connection: no blog fields. */
export const testPingBody = z.object({ event: z.literal('test.ping'), message: z.string(), timestamp });

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
  skipped: z.boolean().optional().describe('Set if nothing was written, for sample payloads.'),
  url: z.string().optional().describe('Absolute http(s) URL of the post, stored as its live-post link.'),
  post_url: z.string().optional(),
  permalink: z.string().optional(),
  id: z.string().optional().describe('The receiver’s ID for the post, stored with it.'),
  post_id: z.string().optional(),
  external_id: z.string().optional().describe('Alias of `id`.'),
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
 * whatever else stands there is treated as absent.
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
