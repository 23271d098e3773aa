import { z } from 'zod';
import { timestamp } from '../primitives.ts';
import { blogState } from './blogs.ts';

/** What a page that watches a project hears: which thing has changed. The page reads the rest through the API. */
export const projectNews = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('blog.changed'),
    blog_id: z.uuid(),
    state: blogState,
    version: z
      .int()
      .optional()
      .describe('The version that a save made. Absent when more than the working copy changed: read all of the blog.'),
  }),
  z.object({
    event: z.literal('publish.changed'),
    publish_id: z.uuid(),
    blog_id: z.uuid(),
    status: z.enum(['requested', 'planned', 'served']),
  }),
  z.object({
    event: z.literal('delivery.changed'),
    delivery_id: z.uuid(),
    publish_id: z.uuid().nullable(),
    blog_id: z.uuid(),
    integration_id: z.uuid(),
    status: z.enum(['pending', 'succeeded', 'failed', 'superseded']),
  }),
  z.object({
    event: z.literal('integration.changed'),
    integration_id: z.uuid(),
    status: z.enum(['failing', 'recovered']),
  }),
  z.object({
    event: z.literal('schedule.changed'),
    blog_id: z.uuid(),
    publish_at: timestamp.nullable(),
  }),
  z.object({
    event: z.literal('generation.changed'),
    generation_id: z.uuid(),
    status: z.string(),
    step: z.string(),
    blog_id: z.uuid().nullable(),
    proposal_id: z.uuid().nullable(),
  }),
  z.object({
    event: z.literal('autopilot.changed'),
    status: z.enum(['off', 'running', 'paused', 'waiting', 'stopped']),
    reason: z.string().nullable(),
  }),
]);
export type ProjectNews = z.infer<typeof projectNews>;
