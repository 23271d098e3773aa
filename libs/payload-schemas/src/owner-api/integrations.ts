import { z } from 'zod';
import { MAX_SHORT_TEXT, queryInteger, timestamp, trigger } from '../primitives.ts';

/** The project's public key (contract §5.1). */
export const publicKey = z.object({ public_key: z.string(), created_at: timestamp });

/** How many days of the public key's use are shown. */
export const USAGE_DAYS = { default: 30, min: 1, max: 90 } as const;
/** The query of {@link publicKeyUsage}. */
export const keyUsageQuery = z.object({
  days: queryInteger(USAGE_DAYS).default(USAGE_DAYS.default),
});
/** How often the project's public key was used, also keys that it had before. */
export const publicKeyUsage = z.object({
  last_used_at: timestamp.nullable().describe('To about ten seconds; null when it was not used within 90 days.'),
  days: z
    .array(
      z.object({
        day: z.iso.date().describe('In UTC.'),
        requests: z.int().min(0).describe('Answers given with a valid key.'),
        not_modified: z.int().min(0).describe('Those of them that were 304.'),
      }),
    )
    .max(USAGE_DAYS.max)
    .describe('Every day up to today, oldest first.'),
});
export type PublicKeyUsage = z.infer<typeof publicKeyUsage>;

const customHeaders = z
  .record(z.string().min(1).max(200), z.string().max(4_096))
  .refine((headers) => Object.keys(headers).length <= 100, 'must hold at most 100 headers')
  .meta({ maxProperties: 100 });

/** For the documents: no NUL, which the service refuses where it keeps every character. */
const noNul = { pattern: '^[^\\u0000]*$' };
/** A short text among the settings, which are kept as JSON: PostgreSQL holds neither NUL nor half characters there. */
const settingText = z
  .string()
  .trim()
  .min(1)
  .regex(/^[^\0\p{Cs}]*$/u, 'must be text without NUL or broken characters');
const givenName = z.string().trim().max(MAX_SHORT_TEXT).meta(noNul);
const receiverUrl = z.string().min(1).max(2_048).meta({ format: 'uri' }).describe('An https URL of a public address.');
const signingSecret = z.string().min(16, 'must be at least 16 characters').max(1_024).meta(noNul);

/** What posts are sent to: a receiver of webhooks, or a system that the service writes into itself (contract §6.7). */
export const integrationKind = z.enum(['webhook', 'wordpress', 'ghost', 'webflow', 'shopify', 'devto']);
export type IntegrationKind = z.infer<typeof integrationKind>;
export type DestinationKind = Exclude<IntegrationKind, 'webhook'>;

const common = {
  name: givenName.default(''),
  active: z.boolean().default(true),
  heal_links: z
    .boolean()
    .default(false)
    .describe(
      'Whether posts are sent again when a post that they link to was published, unpublished or renamed. Turning it on repairs what the receiver already has.',
    ),
};
const siteUrl = receiverUrl.describe('The https address of the site.');

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
    'Where links to other posts lead: to the project’s site (the default), or to where the system has them. A webhook’s are those that its receiver answered; they are known while `heal_links` is on.',
  );

/** What may be set of a webhook: live URLs are those that its receiver answered, and known while `heal_links` is on. */
export const webhookSettings = z.object({ links });

const webhookCreateRequest = z.object({
  kind: z.literal('webhook').optional(),
  ...common,
  url: receiverUrl,
  secret: signingSecret.nullable().default(null),
  headers: customHeaders.default({}),
  standard_webhooks: z.boolean().default(false),
  settings: webhookSettings.default({}),
});

const webflowField = z
  .string()
  .trim()
  .regex(/^[a-z0-9_-]{1,100}$/, 'must be the slug of a field: small letters, digits and hyphens');

/** Which field of a Webflow collection gets which part of a post. `name` and `slug` get title and slug always. */
export const webflowFields = z.object({
  content: webflowField.describe('The body of the post; a rich text field.'),
  excerpt: webflowField.optional(),
  meta_title: webflowField.optional(),
  meta_description: webflowField.optional(),
  keyword: webflowField.optional(),
  featured_image: webflowField.optional().describe('An image field, or one for its address.'),
  categories: webflowField.optional().describe('As text, with commas between them.'),
  tags: webflowField.optional().describe('As text, with commas between them.'),
  published_at: webflowField.optional().describe('A date field.'),
});

/** What each system needs: its address, its credential, and what is not secret. */
export const destinationParts = {
  wordpress: {
    url: siteUrl,
    secret: z.string().trim().min(8).max(200).meta(noNul).describe('An application password of the user.'),
    settings: z.object({
      username: settingText.max(60).meta(noNul).describe('Who writes the posts.'),
      links,
    }),
  },
  ghost: {
    url: siteUrl,
    secret: z
      .string()
      .trim()
      .regex(/^[0-9a-f]{8,64}:([0-9a-f]{2}){16,64}$/, 'must be an Admin API key: an id, a colon and a secret')
      .describe('The Admin API key of a custom integration.'),
    settings: z.object({ links }),
  },
  webflow: {
    url: siteUrl.describe('The https address of the site: where posts are read. The API of Webflow is called.'),
    secret: token('A token of the site with the scopes CMS read and write.'),
    settings: z.object({
      collection_id: z
        .string()
        .trim()
        .regex(/^[0-9a-f]{24}$/, 'must be the id of a collection: 24 hexadecimal digits')
        .describe('Of the collection that posts become items of.'),
      fields: webflowFields.describe('Which field of the collection gets what: slugs of its fields.'),
      links,
    }),
  },
  shopify: {
    url: z
      .string()
      .trim()
      .regex(
        /^https:\/\/[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com\/?$/,
        'must be https://, the name of the shop, and .myshopify.com',
      )
      .describe('The shop’s own address: `https://<name>.myshopify.com`.'),
    secret: token('An access token of the Admin API with the scopes read_content and write_content.'),
    settings: z.object({
      blog_id: z
        .string()
        .trim()
        .regex(/^[1-9][0-9]{0,19}$/, 'must be the number of a blog')
        .describe('The number of the blog that posts become articles of.'),
      author: settingText.max(100).meta(noNul).describe('Who the articles are by.'),
      links,
    }),
  },
  devto: {
    url: z.literal(DEVTO_URL, `must be ${DEVTO_URL}, or be left out`).describe('May be left out: there is one dev.to.'),
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
  z.object({ kind: z.literal(kind), ...common, ...destinationParts[kind] });

/** Without a kind it is a webhook. */
export const integrationCreateRequest = z.discriminatedUnion('kind', [
  webhookCreateRequest,
  destinationCreateRequest('wordpress'),
  destinationCreateRequest('ghost').extend({ settings: destinationParts.ghost.settings.default({}) }),
  destinationCreateRequest('webflow'),
  destinationCreateRequest('shopify'),
  destinationCreateRequest('devto').extend({
    url: destinationParts.devto.url.default(DEVTO_URL),
    settings: destinationParts.devto.settings.default({}),
  }),
]);
/** Whatever was set of a webhook can be changed, but for the kind. */
export const integrationUpdateRequest = z.object({
  name: givenName.optional(),
  url: receiverUrl.optional(),
  secret: z.string().max(1_024).meta(noNul).nullable().optional(),
  headers: customHeaders.optional(),
  active: z.boolean().optional(),
  heal_links: z.boolean().optional(),
  standard_webhooks: z.boolean().optional(),
  settings: z.record(z.string().max(60), z.unknown()).optional(),
} satisfies Record<Exclude<keyof typeof webhookCreateRequest.shape, 'kind'>, z.ZodType>);
/** What an integration may hold as `secret`, by its kind. */
export const secretOf = (kind: IntegrationKind) =>
  kind === 'webhook' ? signingSecret.nullable() : destinationParts[kind].secret;
/** What an integration may hold as `url`, by its kind. */
export const urlOf = (kind: IntegrationKind): z.ZodType<string> =>
  kind === 'webhook' ? receiverUrl : destinationParts[kind].url;
/** An integration; its secret is never shown. */
export const integration = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  kind: integrationKind,
  name: z.string(),
  url: z.string(),
  has_secret: z.boolean(),
  headers: z.record(z.string(), z.string()),
  active: z.boolean(),
  heal_links: z.boolean(),
  standard_webhooks: z.boolean(),
  settings: z.record(z.string(), z.unknown()),
  created_at: timestamp,
  failed_deliveries: z.int().describe('Deliveries that failed since the last that succeeded; tests do not count.'),
  failing_since: timestamp
    .nullable()
    .describe('Since when every delivery to it has failed; null while it does not count as failing.'),
  failing_reason: z.string().nullable().describe('Why the last of them failed: one sentence for people.'),
});

/**
 * What a request to a receiver is for: a change of a blog; the same once more, because an owner asked for it or because
 * what the blog links to has changed; Test Connection, or Sample Payload.
 */
export const deliveryKind = z.enum(['lifecycle', 'redelivery', 'link_changed', 'test', 'sample']);
export const deliveryStatus = z.enum(['pending', 'in_flight', 'succeeded', 'failed', 'superseded']);

const attempt = z.object({
  number: z.int(),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  status_code: z.int().nullable(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
});

/** A delivery in the log of the dispatcher. */
export const delivery = z.object({
  id: z.uuid(),
  kind: deliveryKind,
  integration_id: z.uuid(),
  blog_id: z.uuid().nullable().describe('Null for tests and samples.'),
  publish_id: z
    .uuid()
    .nullable()
    .describe('The publish whose content is sent; null for an unpublish, a delete, a test and a sample.'),
  event: z.string(),
  trigger,
  status: deliveryStatus,
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  live_url: z.string().nullable().describe('Where the receiver says the post is.'),
  external_id: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  attempts: z.array(attempt),
});

const headerFields = z.array(z.object({ name: z.string(), value: z.string() }));
const phase = z.number().nullable();

/**
 * How long an exchange with a receiver took, phase by phase, in milliseconds; null for a phase it did not go through.
 */
export const exchangeTimings = z.object({
  dns_ms: phase,
  connect_ms: phase,
  tls_ms: phase,
  first_byte_ms: phase.describe('From the request’s last byte to the answer’s first.'),
  total_ms: z.number(),
});
/** What was sent to a receiver. */
export const sentRequest = z.object({
  headers: headerFields.describe(
    'As sent, signature included. The values of custom headers are `••••` to editors, and where they are no longer kept.',
  ),
  body: z.string().nullable().describe('The bytes as sent, at most the first 256 KiB; null where they are not kept.'),
  body_bytes: z.int().describe('Length of the whole body.'),
  body_truncated: z.boolean(),
});
/** What a receiver answered: the first 100 header fields, and the beginning of the body as text. */
export const receivedAnswer = z.object({
  status_code: z.int(),
  headers: headerFields,
  body_start: z.string().describe('At most the first 2 KiB.'),
  body_truncated: z.boolean(),
});

/** A delivery with all that was sent and answered. */
export const deliveryDetail = delivery.extend({
  next_attempt_at: timestamp.nullable().describe('When it will be tried again; null unless it waits for that.'),
  attempts: z.array(
    attempt.extend({
      request: sentRequest.nullable().describe('Null until the attempt has ended, and where nothing was sent.'),
      answer: receivedAnswer.nullable().describe('Null where there was no whole answer.'),
      timings: exchangeTimings.nullable(),
    }),
  ),
});

/** What came of Test Connection or Sample Payload. */
export const testResult = z.object({
  delivery_id: z.uuid().describe('Where it stands in the delivery log.'),
  event: z.enum(['test.ping', 'blog.published']),
  success: z.boolean(),
  status_code: z.int().nullable().describe('The receiver’s status; null without an answer.'),
  reason: z.string().nullable(),
  detail: z.string().nullable().describe('What happened: one sentence for people.'),
  hint: z.string().nullable().describe('What would make it succeed.'),
  timings: exchangeTimings.nullable(),
  request: sentRequest.nullable(),
  answer: receivedAnswer.nullable(),
});

/** A sample as it would be sent now: to build a receiver against. */
export const samplePayload = z.object({
  headers: headerFields,
  body: z.string().describe('Sign exactly these bytes, in UTF-8, to get the signature in the headers.'),
});

export const redeliverFailedRequest = z.object({
  since: timestamp.describe('Blogs whose newest delivery to the receiver has failed at this time or later.'),
});

/** Why a blog is not delivered once more. */
export const redeliveryRefusal = z.enum([
  'not_ended',
  'not_of_a_blog',
  'integration_inactive',
  'not_published',
  'content_unknown',
]);

/** What came of redelivering everything that failed. */
export const redeliverFailedResult = z.object({
  created: z.int().describe('How many deliveries there are to come now: one for each blog, at most 1,000 a call.'),
  deliveries: z.array(z.object({ id: z.uuid(), blog_id: z.uuid() })),
  refused: z
    .array(
      z.object({
        delivery_id: z.uuid(),
        blog_id: z.uuid(),
        reason: redeliveryRefusal,
        detail: z.string().describe('One sentence for people.'),
      }),
    )
    .describe('At most the first 100.'),
  more: z.boolean().describe('Whether there are more than the call could take on: call again.'),
});
