import { z } from 'zod';
import { timestamp, trigger } from '../primitives.ts';
import { blogState, givenPublishedAt, schedule } from './blogs.ts';
import { problem } from './problem.ts';

/** Most blogs of one bulk request. */
export const MAX_BULK = 100;

export const publishDelivery = z.object({
  delivery_id: z.uuid(),
  integration_id: z.uuid(),
  receiver: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed', 'superseded']),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  attempts: z.int(),
  next_attempt_at: timestamp.nullable().describe('When it will be retried; null if no retry is planned or known yet.'),
  status_code: z.int().nullable(),
  live_url: z.string().nullable(),
  external_id: z.string().nullable(),
  notice: z.string().nullable().describe('Set if a receiver returned no public URL.'),
  finished_at: timestamp.nullable(),
  recovered_at: timestamp
    .nullable()
    .describe('When the receiver of a failed delivery got this or a newer publish of the blog after all.'),
});

/** One publish of a blog, with what became of it at each receiver. */
export const publish = z.object({
  id: z.uuid(),
  blog_id: z.uuid(),
  blog_title: z.string().describe('Title of the working copy; empty once the post is deleted.'),
  blog_state: blogState,
  project_id: z.uuid(),
  revision: z.int(),
  trigger,
  status: z.enum(['pending', 'succeeded', 'failed']),
  requested_at: timestamp,
  scheduled_for: timestamp.nullable().describe('The time it was scheduled for; null if it was published immediately.'),
  served_at: timestamp.nullable().describe('When the public API served it, or a newer version of the post.'),
  live: z.boolean().describe('Whether the public API currently serves this publish.'),
  deliveries: z.array(publishDelivery),
});
export type Publish = z.infer<typeof publish>;

export const publishRequest = z
  .object({ published_at: givenPublishedAt })
  .partial()
  .describe('Sets the publication date with this publish. If omitted, the working copy’s date is kept.');

/** In place of a publish: the post is dated in the future, and a schedule publishes it then. */
export const scheduledPublish = schedule.extend({ status: z.literal('scheduled') });
/** What a publish has become, by its status: `scheduled`, or any other of a publish that was made. */
export const publishAnswer = z.discriminatedUnion('status', [publish, scheduledPublish]);
export type PublishAnswer = z.infer<typeof publishAnswer>;

export const publishListQuery = z.object({
  blog_id: z.uuid().optional().describe('Filter by post.'),
  trigger: trigger.optional().describe('Filter by trigger.'),
  scheduled: z.enum(['true', 'false']).optional().describe('Filter by whether a schedule made the publish.'),
  outcome: z
    .enum(['delivered', 'failed', 'pending'])
    .optional()
    .describe(
      '`delivered`: every destination has it. `failed`: a delivery failed, and that destination does not have it yet. `pending`: in progress.',
    ),
});

export const bulkRequest = z.object({
  blog_ids: z
    .array(z.uuid())
    .min(1)
    .max(MAX_BULK)
    .refine((ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length, 'must not contain duplicate IDs')
    .meta({ uniqueItems: true }),
});
const refused = { blog_id: z.uuid(), ok: z.literal(false), problem };
/** One result for each blog, in the order of the request. */
export const bulkPublishResult = z.object({
  results: z.array(
    z.discriminatedUnion('ok', [
      z.object({ blog_id: z.uuid(), ok: z.literal(true), publish: publishAnswer }),
      z.object(refused),
    ]),
  ),
});
export const bulkUnpublishResult = z.object({
  results: z.array(
    z.discriminatedUnion('ok', [z.object({ blog_id: z.uuid(), ok: z.literal(true) }), z.object(refused)]),
  ),
});
