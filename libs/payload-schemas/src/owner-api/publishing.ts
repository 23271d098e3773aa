import { z } from 'zod';
import { doc, fields } from '../fields.ts';
import { timestamp, trigger } from '../primitives.ts';
import { blogState, givenPublishedAt, schedule } from './blogs.ts';
import { problem } from './problem.ts';

/** Most blogs of one bulk request. */
export const MAX_BULK = 100;

export const publishDelivery = z.object({
  delivery_id: fields.deliveryId,
  integration_id: fields.integrationId,
  receiver: z.string().meta(doc('Host of the receiver.', 'receiver.example.com')),
  status: z.enum(['pending', 'succeeded', 'failed', 'superseded']).describe('Status.'),
  reason: fields.reason,
  detail: fields.detail,
  attempts: z.int().describe('Number of attempts.'),
  next_attempt_at: timestamp
    .nullable()
    .meta(doc('When it will be retried; null if no retry is planned or known yet.', null)),
  status_code: fields.statusCode,
  live_url: z.string().nullable().meta(doc('URL of the post.', 'https://tea.example.com/blog/green-tea/')),
  external_id: fields.externalId,
  notice: z.string().nullable().meta(doc('Set if a receiver returned no public URL.', null)),
  finished_at: fields.finishedAt,
  recovered_at: timestamp
    .nullable()
    .describe('When the receiver of a failed delivery got this or a newer publish of the blog after all.'),
});

/** One publish of a blog, with its outcome at each receiver. */
export const publish = z.object({
  id: fields.id,
  blog_id: fields.blogId,
  blog_title: z.string().meta(doc('Title of the working copy; empty once the post is deleted.', 'Green tea')),
  blog_language: z
    .string()
    .nullable()
    .meta(doc('Language of the working copy, as a BCP 47 tag; null if it has none.', 'de-AT')),
  blog_state: blogState.meta(doc('Current state of the post.', 'published')),
  project_id: fields.projectId,
  revision: z.int().describe('Number of the published revision.'),
  trigger: trigger.describe('Who started it: `manual` (a person) or `autopilot` (an agent or the autopilot).'),
  status: z.enum(['pending', 'succeeded', 'failed']).describe('Status.'),
  requested_at: timestamp.describe('When it was requested.'),
  scheduled_for: timestamp
    .nullable()
    .meta(doc('The time it was scheduled for; null if it was published immediately.', null)),
  served_at: timestamp
    .nullable()
    .meta(doc('When the public API served it, or a newer version of the post.', '2026-03-01T09:00:01.250Z')),
  live: z.boolean().describe('Whether the public API currently serves this publish.'),
  deliveries: z.array(publishDelivery).describe('The deliveries.'),
});
export type Publish = z.infer<typeof publish>;

export const publishRequest = z
  .object({
    published_at: givenPublishedAt.describe(
      'The publication date: as set by the author, otherwise the start of the current publication.',
    ),
  })
  .partial()
  .describe('Sets the publication date with this publish. If omitted, the working copy’s date is kept.');

/** In place of a publish: the post is dated in the future, and a schedule publishes it then. */
export const scheduledPublish = schedule.extend({ status: z.literal('scheduled').describe('Status.') });
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
    .meta({ uniqueItems: true })
    .meta(doc('IDs of the posts, without duplicates.', ['0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10'])),
});
const refused = {
  blog_id: fields.blogId,
  ok: z.literal(false).describe('Whether it succeeded.'),
  problem: problem.describe('Why it failed.'),
};
/** One result for each blog, in the order of the request. */
export const bulkPublishResult = z.object({
  results: z
    .array(
      z.discriminatedUnion('ok', [
        z.object({
          blog_id: fields.blogId,
          ok: z.literal(true).describe('Whether it succeeded.'),
          publish: publishAnswer.describe('The publish.'),
        }),
        z.object(refused),
      ]),
    )
    .describe('One result per post, in request order.'),
});
export const bulkUnpublishResult = z.object({
  results: z
    .array(
      z.discriminatedUnion('ok', [
        z.object({
          blog_id: fields.blogId,
          ok: z.literal(true).describe('Whether it succeeded.'),
        }),
        z.object(refused),
      ]),
    )
    .describe('One result per post, in request order.'),
});
