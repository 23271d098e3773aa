import { z } from 'zod';
import { doc, fields } from '../fields.ts';
import { timestamp } from '../primitives.ts';
import { blogState } from './blogs.ts';

/** What a page that watches a project hears: which thing has changed. The page reads the rest through the API. */
export const projectNews = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('blog.changed').describe('The webhook event.'),
    blog_id: fields.blogId,
    state: blogState.describe('State of the post. Only published posts are public.'),
    version: z
      .int()
      .optional()
      .meta(
        doc('The version that a save made. Absent when more than the working copy changed: read all of the blog.', 3),
      ),
  }),
  z.object({
    event: z.literal('publish.changed').describe('The webhook event.'),
    publish_id: z.uuid().describe('ID of the publish.'),
    blog_id: fields.blogId,
    status: z.enum(['requested', 'planned', 'served']).describe('Status.'),
  }),
  z.object({
    event: z.literal('delivery.changed').describe('The webhook event.'),
    delivery_id: fields.deliveryId,
    publish_id: z.uuid().nullable().describe('ID of the publish.'),
    blog_id: fields.blogId,
    integration_id: fields.integrationId,
    status: z.enum(['pending', 'succeeded', 'failed', 'superseded']).describe('Status.'),
  }),
  z.object({
    event: z.literal('integration.changed').describe('The webhook event.'),
    integration_id: fields.integrationId,
    status: z.enum(['failing', 'recovered']).describe('Status.'),
  }),
  z.object({
    event: z.literal('schedule.changed').describe('The webhook event.'),
    blog_id: fields.blogId,
    publish_at: timestamp.nullable().describe('When it will be published.'),
  }),
  z.object({
    event: z.literal('generation.changed').describe('The webhook event.'),
    generation_id: fields.generationId,
    status: z.string().describe('Status.'),
    step: z.string(),
    blog_id: fields.blogIdOrNull,
    proposal_id: z.uuid().nullable().meta(doc('ID of the proposal.', null)),
  }),
  z.object({
    event: z.literal('autopilot.changed').describe('The webhook event.'),
    status: z.enum(['off', 'running', 'paused', 'waiting', 'stopped']).describe('Status.'),
    reason: fields.reason,
  }),
]);
export type ProjectNews = z.infer<typeof projectNews>;
