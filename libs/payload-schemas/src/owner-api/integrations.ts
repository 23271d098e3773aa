import { z } from 'zod';
import { extras } from '../extras/extra-fields.ts';
import { doc, fields } from '../fields.ts';
import { MAX_SHORT_TEXT, queryInteger, timestamp, trigger } from '../primitives.ts';

/** The project's public key (contract §5.1). */
export const publicKey = z.object({
  public_key: z.string().meta(doc('The public key.', 'pk_live_Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Zz')),
  created_at: fields.createdAt,
});

/** How many days of the public key's use are shown. */
export const USAGE_DAYS = { default: 30, min: 1, max: 90 } as const;
/** The query of {@link publicKeyUsage}. */
export const keyUsageQuery = z.object({
  days: queryInteger(USAGE_DAYS).default(USAGE_DAYS.default),
});
/** How often the project's public key was used, also keys that it had before. */
export const publicKeyUsage = z.object({
  last_used_at: timestamp.nullable().describe('Accurate to about ten seconds; null if not used within 90 days.'),
  days: z
    .array(
      z.object({
        day: z.iso.date().meta(doc('The day in UTC.', '2026-03-01')),
        requests: z.int().min(0).meta(doc('Requests with a valid key.', 42)),
        not_modified: z.int().min(0).meta(doc('How many of them returned `304`.', 40)),
      }),
    )
    .max(USAGE_DAYS.max)
    .describe('Every day up to today, oldest first.'),
});
export type PublicKeyUsage = z.infer<typeof publicKeyUsage>;

const customHeaders = z
  .record(z.string().min(1).max(200), z.string().max(4_096))
  .refine((headers) => Object.keys(headers).length <= 100, 'must have at most 100 headers')
  .meta({ maxProperties: 100 });

/** For the documents: no NUL, which the service refuses where it keeps every character. */
const noNul = { pattern: '^[^\\u0000]*$' };
/** A short text among the settings, which are kept as JSON: PostgreSQL holds neither NUL nor half characters there. */
const settingText = z
  .string()
  .trim()
  .min(1)
  .regex(/^[^\0\p{Cs}]*$/u, 'must not contain NUL or invalid characters');
const givenName = z.string().trim().max(MAX_SHORT_TEXT).meta(noNul);
const receiverUrl = z
  .string()
  .min(1)
  .max(2_048)
  .meta({
    format: 'uri',
    description: 'An https URL with a public host.',
    examples: ['https://receiver.example.com/hook'],
  });
const signingSecret = z.string().min(16, 'must be at least 16 characters').max(1_024).meta(noNul);

/** What posts are sent to: a receiver of webhooks, or a system that the service writes into itself (contract §6.7). */
export const integrationKind = z.enum(['webhook', 'wordpress', 'ghost', 'webflow', 'shopify', 'devto']);
export type IntegrationKind = z.infer<typeof integrationKind>;
export type DestinationKind = Exclude<IntegrationKind, 'webhook'>;

const common = {
  name: givenName.default('').meta(doc('Display name.', 'Tea')),
  active: z.boolean().default(true).describe('Whether it is active.'),
  heal_links: z
    .boolean()
    .default(false)
    .meta(
      doc(
        'Whether to resend posts when a post they link to is published, unpublished, deleted, renamed or retitled. Turning this on also repairs posts the receiver already has.',
        false,
      ),
    ),
  retry_manual: z
    .boolean()
    .default(false)
    .meta(
      doc(
        'Whether manual publishes, unpublishes and deletes are retried like the autopilot’s: up to five attempts on timeouts, network errors and 5xx. The endpoint may then get the same one twice: posts carry `idempotency_key` and `publish_attempt`. Applies to later publishes.',
        false,
      ),
    ),
};
const siteUrl = receiverUrl.describe('The https URL of the site.');

const DEVTO_URL = 'https://dev.to';

/** A credential that is one word. */
const token = (description: string) =>
  z
    .string()
    .trim()
    .regex(/^[!-~]{16,500}$/, 'must be 16 to 500 characters without spaces')
    .describe(description);

const links = z
  .enum(['site', 'live'])
  .optional()
  .describe(
    'Where links to other posts lead: to the project’s site (default), or to the URLs in the target system. For webhooks, those are the URLs from responses, known while `heal_links` is on.',
  );

/** Most further fields of bodies. */
const MAX_WEBHOOK_FIELDS = 50;
/** What may be set of a webhook: live URLs are those that its receiver answered, and known while `heal_links` is on. */
export const webhookSettings = z.object({
  links,
  fields: z
    .array(z.enum(extras.namesOnRequest('webhooks')))
    .max(MAX_WEBHOOK_FIELDS)
    .optional()
    .meta(doc('Further fields that bodies have. None by default.', ['canonical_url'])),
});

const webhookCreateRequest = z.object({
  kind: z.literal('webhook').optional().describe('Type of integration. Defaults to `webhook`.'),
  ...common,
  url: receiverUrl,
  secret: signingSecret
    .nullable()
    .default(null)
    .meta(doc('Signing secret. Null: requests are not signed.', 'a secret of 16 or more')),
  headers: customHeaders.default({}).meta(doc('Custom headers to send.', { 'X-Site': 'tea' })),
  standard_webhooks: z
    .boolean()
    .default(false)
    .meta(doc('Whether to also send Standard Webhooks headers with signed requests.', false)),
  settings: webhookSettings.default({}).describe('Non-secret settings, by integration type.'),
});

const webflowField = z
  .string()
  .trim()
  .regex(/^[a-z0-9_-]{1,100}$/, 'must be a field slug: lowercase letters, digits and hyphens');

/** Which field of a Webflow collection gets which part of a post. `name` and `slug` get title and slug always. */
export const webflowFields = z.object({
  content: webflowField.describe('The post body; a rich text field.'),
  excerpt: webflowField.optional().describe('Plain-text summary; may be empty.'),
  meta_title: webflowField.optional().describe('Title for search engines.'),
  meta_description: webflowField.optional().describe('Description for search engines.'),
  keyword: webflowField.optional().describe('The focus keyword.'),
  featured_image: webflowField.optional().describe('An image field, or a field for its URL.'),
  categories: webflowField.optional().describe('Comma-separated text.'),
  tags: webflowField.optional().describe('Comma-separated text.'),
  published_at: webflowField.optional().describe('A date field.'),
  authors: webflowField.optional().describe('Comma-separated names.'),
  language: webflowField.optional().describe('Language of the post (BCP 47).'),
  canonical_url: webflowField.optional().describe('A link or text field for the canonical URL.'),
});

/** What each system needs: its address, its credential, and what is not secret. */
export const destinationParts = {
  wordpress: {
    url: siteUrl,
    secret: z.string().trim().min(8).max(200).meta(noNul).describe('An application password of the user.'),
    settings: z
      .object({
        username: settingText
          .max(60)
          .meta(noNul)
          .meta(doc('Author of posts whose own authors have no user there.', 'ada')),
        create_authors: z
          .boolean()
          .default(false)
          .meta(
            doc(
              'Whether authors without a user there get one, with the role Contributor and their email address. WordPress shows the first author of a post.',
              false,
            ),
          ),
        links,
      })
      .describe('Non-secret settings, by integration type.'),
  },
  ghost: {
    url: siteUrl,
    secret: z
      .string()
      .trim()
      .regex(/^[0-9a-f]{8,64}:([0-9a-f]{2}){16,64}$/, 'must be an Admin API key: an ID, a colon and a secret')
      .describe('The Admin API key of a custom integration.'),
    settings: z.object({ links }),
  },
  webflow: {
    url: siteUrl.describe('The https URL where the posts appear. Requests go to the Webflow API.'),
    secret: token('A site token with the scopes CMS read and write.'),
    settings: z
      .object({
        collection_id: z
          .string()
          .trim()
          .regex(/^[0-9a-f]{24}$/, 'must be a collection ID: 24 hexadecimal digits')
          .describe('The collection for the posts.'),
        fields: webflowFields.describe('Maps post fields to slugs of collection fields.'),
        links,
      })
      .describe('Non-secret settings, by integration type.'),
  },
  shopify: {
    url: z
      .string()
      .trim()
      .regex(
        /^https:\/\/[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com\/?$/,
        'must be https://, the shop’s name and .myshopify.com',
      )
      .describe('The shop’s own URL: `https://<name>.myshopify.com`.'),
    secret: token('An Admin API access token with the scopes read_content and write_content.'),
    settings: z
      .object({
        blog_id: z
          .string()
          .trim()
          .regex(/^[1-9][0-9]{0,19}$/, 'must be the numeric ID of a blog')
          .meta(doc('Numeric ID of the blog for the posts.', '1024')),
        author: settingText.max(100).meta(noNul).describe('Author of the articles.'),
        links,
      })
      .describe('Non-secret settings, by integration type.'),
  },
  devto: {
    url: z.literal(DEVTO_URL, `must be ${DEVTO_URL} or omitted`).describe('Can be omitted: the URL is fixed.'),
    secret: token('An API key of the account.'),
    settings: z.object({ links }),
  },
} as const satisfies Record<
  DestinationKind,
  { url: z.ZodType<string>; secret: z.ZodType<string>; settings: z.ZodObject }
>;

/** Kinds whose address says which account it is and leads to their provider alone: it needs no check of its own. */
export const hasProvidersAddress = (kind: IntegrationKind): boolean => kind === 'shopify' || kind === 'devto';

const destinationCreateRequest = <K extends DestinationKind>(kind: K) =>
  z.object({
    kind: z.literal(kind).describe('Type of integration. Defaults to `webhook`.'),
    ...common,
    ...destinationParts[kind],
  });

/** Without a kind it is a webhook. */
export const integrationCreateRequest = z.discriminatedUnion('kind', [
  webhookCreateRequest,
  destinationCreateRequest('wordpress'),
  destinationCreateRequest('ghost').extend({
    settings: destinationParts.ghost.settings
      .default({})
      .meta(doc('Non-secret settings, by integration type.', { username: 'ada' })),
  }),
  destinationCreateRequest('webflow'),
  destinationCreateRequest('shopify'),
  destinationCreateRequest('devto').extend({
    url: destinationParts.devto.url.default(DEVTO_URL),
    settings: destinationParts.devto.settings
      .default({})
      .meta(doc('Non-secret settings, by integration type.', { username: 'ada' })),
  }),
]);
/** Every setting of a webhook can be changed, except the kind. */
export const integrationUpdateRequest = z.object({
  name: givenName.optional().meta(doc('Display name.', 'Tea')),
  url: receiverUrl.optional(),
  secret: z
    .string()
    .max(1_024)
    .meta(noNul)
    .nullable()
    .optional()
    .meta(doc('Signing secret. Null: requests are not signed.', 'a secret of 16 or more')),
  headers: customHeaders.optional().meta(doc('Custom headers to send.', { 'X-Site': 'tea' })),
  active: z.boolean().optional().describe('Whether it is active.'),
  heal_links: z.boolean().optional().meta(doc('Whether to resend posts when a post they link to changes.', false)),
  retry_manual: z.boolean().optional().meta(doc('Whether manual publishes are retried like the autopilot’s.', false)),
  standard_webhooks: z
    .boolean()
    .optional()
    .meta(doc('Whether to also send Standard Webhooks headers with signed requests.', false)),
  settings: z
    .record(z.string().max(60), z.unknown())
    .optional()
    .meta(doc('Non-secret settings, by integration type.', { username: 'ada' })),
} satisfies Record<Exclude<keyof typeof webhookCreateRequest.shape, 'kind'>, z.ZodType>);
/** What an integration may hold as `secret`, by its kind. */
export const secretOf = (kind: IntegrationKind) =>
  kind === 'webhook' ? signingSecret.nullable() : destinationParts[kind].secret;
/** What an integration may hold as `url`, by its kind. */
export const urlOf = (kind: IntegrationKind): z.ZodType<string> =>
  kind === 'webhook' ? receiverUrl : destinationParts[kind].url;
/** An integration; its secret is never shown. */
export const integration = z.object({
  id: fields.id,
  project_id: fields.projectId,
  kind: integrationKind.meta(doc('Type of integration.', 'webhook')),
  name: fields.name,
  url: fields.url,
  has_secret: z.boolean().describe('Whether requests are signed.'),
  headers: z.record(z.string(), z.string()).meta(doc('Custom headers to send.', { 'X-Site': 'tea' })),
  active: z.boolean().describe('Whether it is active.'),
  heal_links: z.boolean().meta(doc('Whether to resend posts when a post they link to changes.', false)),
  retry_manual: z.boolean().meta(doc('Whether manual publishes are retried like the autopilot’s.', false)),
  standard_webhooks: z
    .boolean()
    .meta(doc('Whether to also send Standard Webhooks headers with signed requests.', false)),
  settings: z
    .record(z.string(), z.unknown())
    .meta(doc('Non-secret settings, by integration type.', { username: 'ada' })),
  created_at: fields.createdAt,
  failed_deliveries: z.int().meta(doc('Failed deliveries since the last success, without tests.', 0)),
  failing_since: timestamp.nullable().meta(doc('Since when every delivery has failed; null while healthy.', null)),
  failing_reason: z.string().nullable().meta(doc('Why the last delivery failed, human-readable.', null)),
});

/**
 * What a request to a receiver is for: a change of a blog; the same once more, because an owner asked for it or because
 * what the blog links to has changed; Test Connection, or Sample Payload.
 */
export const deliveryKind = z.enum(['lifecycle', 'redelivery', 'link_changed', 'test', 'sample']);
export const deliveryStatus = z.enum(['pending', 'in_flight', 'succeeded', 'failed', 'superseded']);

const attempt = z.object({
  number: fields.number,
  started_at: timestamp.describe('When it started.'),
  ended_at: fields.endedAt,
  status_code: fields.statusCode,
  reason: fields.reason,
  detail: fields.detail,
});

/** A delivery in the log of the dispatcher. */
export const delivery = z.object({
  id: fields.id,
  kind: deliveryKind.describe('What it is for.'),
  integration_id: fields.integrationId,
  blog_id: z.uuid().nullable().meta(doc('Null for tests and samples.', '0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10')),
  publish_id: z
    .uuid()
    .nullable()
    .describe('The publish whose content is sent; null for unpublishes, deletes, tests and samples.'),
  event: z.string().meta(doc('The webhook event.', 'blog.published')),
  trigger: trigger.describe('Who started it: `manual` (a person) or `autopilot` (an agent or the autopilot).'),
  status: deliveryStatus.describe('Status.'),
  reason: fields.reason,
  detail: fields.detail,
  live_url: z
    .string()
    .nullable()
    .meta(doc('URL of the post from the receiver’s response.', 'https://tea.example.com/blog/green-tea/')),
  external_id: fields.externalId,
  created_at: fields.createdAt,
  finished_at: fields.finishedAt,
  attempts: z.array(attempt).describe('The attempts, oldest first.'),
});

const headerFields = z.array(
  z.object({
    name: fields.name,
    value: z.string().meta(doc('Header value.', 'application/json')),
  }),
);
const phase = z.number().nullable();

/**
 * How long an exchange with a receiver took, phase by phase, in milliseconds; null for a phase it did not go through.
 */
export const exchangeTimings = z.object({
  dns_ms: phase.meta(doc('DNS lookup.', 4)),
  connect_ms: phase.meta(doc('Connecting.', 11)),
  tls_ms: phase.meta(doc('TLS handshake.', 19)),
  first_byte_ms: phase.meta(doc('From the last byte of the request to the first byte of the response.', 80)),
  total_ms: z.number().meta(doc('Total time.', 120)),
});
/** What was sent to a receiver. */
export const sentRequest = z.object({
  headers: headerFields.describe(
    'As sent, including the signature. Values of custom headers appear as `••••` to editors, and after they expire.',
  ),
  body: z
    .string()
    .nullable()
    .meta(doc('The body as sent, at most the first 256 kB; null once it has expired.', '{"event":"test.ping"}')),
  body_bytes: z.int().meta(doc('Size of the whole body in bytes.', 21)),
  body_truncated: z.boolean().meta(doc('Whether the body was truncated.', false)),
});
/** What a receiver answered: the first 100 header fields, and the beginning of the body as text. */
export const receivedAnswer = z.object({
  status_code: z.int().meta(doc('HTTP status of the response; null if none.', 200)),
  headers: headerFields.describe('The first header fields of the response.'),
  body_start: z.string().meta(doc('At most the first 2 kB.', '{"ok":true}')),
  body_truncated: z.boolean().meta(doc('Whether the body was truncated.', false)),
});

/** A delivery with all that was sent and answered. */
export const deliveryDetail = delivery.extend({
  next_attempt_at: timestamp.nullable().meta(doc('When it will be retried; null if no retry is planned.', null)),
  attempts: z
    .array(
      attempt.extend({
        request: sentRequest.nullable().describe('Null until the attempt ends, and if nothing was sent.'),
        answer: receivedAnswer.nullable().describe('Null without a complete response.'),
        timings: exchangeTimings.nullable().describe('Duration in milliseconds.'),
      }),
    )
    .describe('The attempts, oldest first.'),
});

/** The result of Test Connection or Sample Payload. */
export const testResult = z.object({
  delivery_id: z.uuid().describe('ID in the delivery log.'),
  event: z.enum(['test.ping', 'blog.published']).meta(doc('The webhook event.', 'blog.published')),
  success: z.boolean().describe('Whether the receiver responded with success.'),
  status_code: fields.statusCode,
  reason: fields.reason,
  detail: z.string().nullable().meta(doc('Human-readable result.', null)),
  hint: z.string().nullable().meta(doc('How to fix it.', null)),
  timings: exchangeTimings.nullable().describe('Duration in milliseconds.'),
  request: sentRequest.nullable().describe('The request; null if none was sent.'),
  answer: receivedAnswer.nullable().describe('The response; null if none.'),
});

/** A sample as it would be sent now: to build a receiver against. */
export const samplePayload = z.object({
  headers: headerFields.describe('Header fields that would be sent.'),
  body: z
    .string()
    .meta(
      doc('Sign exactly these bytes, in UTF-8, to reproduce the signature in the headers.', '{"event":"test.ping"}'),
    ),
});

export const redeliverFailedRequest = z.object({
  since: timestamp.describe('Redeliver posts whose newest delivery failed at or after this time.'),
});

/** Why a blog is not delivered once more. */
export const redeliveryRefusal = z.enum([
  'not_ended',
  'not_of_a_blog',
  'integration_inactive',
  'not_published',
  'content_unknown',
]);

/** The result of redelivering all failures. */
export const redeliverFailedResult = z.object({
  created: z.int().meta(doc('Number of deliveries created: one per post, at most 1,000 per call.', 9)),
  deliveries: z
    .array(
      z.object({
        id: fields.id,
        blog_id: fields.blogId,
      }),
    )
    .describe('The deliveries.'),
  refused: z
    .array(
      z.object({
        delivery_id: fields.deliveryId,
        blog_id: fields.blogId,
        reason: redeliveryRefusal.describe('Machine-readable failure reason; null otherwise.'),
        detail: z.string().meta(doc('Human-readable reason.', 'The post is no longer published.')),
      }),
    )
    .describe('At most the first 100.'),
  more: z.boolean().meta(doc('Whether more remain. If so, call again.', false)),
});
