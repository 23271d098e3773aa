import { z } from 'zod';
import { httpUrl, labels, MAX_CONTENT, MAX_LONG_TEXT, MAX_SHORT_TEXT, slug, timestamp, trigger } from './primitives.ts';

/** `POST /owner/session` */
export const signInRequest = z.object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1_000) });
/** A short-lived owner session token. */
export const session = z.object({
  token: z.string().describe('Send it as `Authorization: Bearer <token>`.'),
  expires_at: timestamp,
  account: z.object({ id: z.uuid(), email: z.string() }),
});

const siteUrl = z
  .url({ protocol: /^https?$/, normalize: true })
  .max(2_048)
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''));

export const projectCreateRequest = z.object({
  name: z.string().trim().min(1).max(MAX_SHORT_TEXT),
  site_url: siteUrl.nullable().default(null),
});
export const projectUpdateRequest = z.object({
  name: z.string().trim().min(1).max(MAX_SHORT_TEXT).optional(),
  site_url: siteUrl.nullable().optional(),
});
export const project = z.object({
  id: z.uuid(),
  name: z.string(),
  site_url: z.string().nullable(),
  created_at: timestamp,
});

/** What an author may set. Everything but the title may be left out on creation. */
const blogFields = {
  title: z.string().trim().min(1).max(MAX_SHORT_TEXT),
  slug,
  content: z.string().max(MAX_CONTENT),
  excerpt: z.string().max(MAX_LONG_TEXT),
  meta_title: z.string().max(MAX_SHORT_TEXT).nullable(),
  meta_description: z.string().max(MAX_LONG_TEXT).nullable(),
  featured_image_url: httpUrl.nullable(),
  categories: labels,
  tags: labels,
  keyword: z.string().max(MAX_SHORT_TEXT).nullable(),
};
export const blogUpdateRequest = z.object(blogFields).partial();
export const blogCreateRequest = blogUpdateRequest.extend({ title: blogFields.title });
export type BlogCreateRequest = z.infer<typeof blogCreateRequest>;
export type BlogUpdateRequest = z.infer<typeof blogUpdateRequest>;

export const blogState = z.enum(['draft', 'published', 'unpublished', 'deleted']);
export type BlogState = z.infer<typeof blogState>;

/** A blog as its owner sees it: the working copy. */
export const ownerBlog = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  state: blogState,
  ...blogFields,
  slug: z.string(),
  has_unpublished_changes: z.boolean(),
  published_at: timestamp.nullable().describe('When the current publication began.'),
  created_at: timestamp,
  updated_at: timestamp,
});

export const publishDelivery = z.object({
  delivery_id: z.uuid(),
  integration_id: z.uuid(),
  receiver: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed', 'superseded']),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  attempts: z.int(),
  status_code: z.int().nullable(),
  live_url: z.string().nullable(),
  external_id: z.string().nullable(),
  notice: z.string().nullable().describe('Says so when a receiver returned no public URL (spec §4.4).'),
  finished_at: timestamp.nullable(),
});

/** One publish of a blog, with what became of it at each receiver. */
export const publish = z.object({
  id: z.uuid(),
  blog_id: z.uuid(),
  project_id: z.uuid(),
  revision: z.int(),
  trigger,
  status: z.enum(['pending', 'succeeded', 'failed']),
  requested_at: timestamp,
  deliveries: z.array(publishDelivery),
});
export type Publish = z.infer<typeof publish>;

/** The project's public key (spec §5.1). */
export const publicKey = z.object({ public_key: z.string(), created_at: timestamp });

const customHeaders = z
  .record(z.string().min(1).max(200), z.string().max(4_096))
  .refine((headers) => Object.keys(headers).length <= 100, 'must hold at most 100 headers');

export const integrationCreateRequest = z.object({
  name: z.string().trim().max(MAX_SHORT_TEXT).default(''),
  url: z.string().max(2_048),
  secret: z.string().min(16, 'must be at least 16 characters').max(1_024).nullable().default(null),
  headers: customHeaders.default({}),
  active: z.boolean().default(true),
});
export const integrationUpdateRequest = z.object({
  name: z.string().trim().max(MAX_SHORT_TEXT).optional(),
  url: z.string().max(2_048).optional(),
  secret: z.string().min(16, 'must be at least 16 characters').max(1_024).nullable().optional(),
  headers: customHeaders.optional(),
  active: z.boolean().optional(),
});
/** A webhook integration; its secret is never shown. */
export const integration = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  name: z.string(),
  url: z.string(),
  has_secret: z.boolean(),
  headers: z.record(z.string(), z.string()),
  active: z.boolean(),
  created_at: timestamp,
});

/** A delivery in the log of the dispatcher. */
export const delivery = z.object({
  id: z.uuid(),
  integration_id: z.uuid(),
  blog_id: z.uuid(),
  publish_id: z.uuid().nullable(),
  event: z.string(),
  trigger,
  status: z.enum(['pending', 'in_flight', 'succeeded', 'failed', 'superseded']),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  attempts: z.array(
    z.object({
      number: z.int(),
      started_at: timestamp,
      ended_at: timestamp.nullable(),
      status_code: z.int().nullable(),
      reason: z.string().nullable(),
      detail: z.string().nullable(),
    }),
  ),
});

/** RFC 9457 problem document; `errors` names each refused field. */
export const problem = z.object({
  type: z.string().optional(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** A list of `items`; `next_cursor` leads to the next page. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}
