import { z } from 'zod';
import { timestamp } from './primitives.ts';
import { defineTopic } from './topic.ts';

/** The public API now answers with what a lifecycle event said. */
export const blogServedEvent = z.object({
  event: z.literal('blog.served'),
  project_id: z.uuid(),
  blog_id: z.uuid(),
  blog_event_number: z.int().min(1),
  lifecycle_event_id: z.uuid().describe('CloudEvents ID of the lifecycle event.'),
  served_at: timestamp,
});
export type BlogServedEvent = z.infer<typeof blogServedEvent>;

/** The read service's word that a change is visible. */
export const servedTopic = defineTopic({
  name: 'blog.served',
  description: 'The lifecycle events that the public API serves.',
  schema: blogServedEvent,
  key: (event) => event.project_id,
  partitionKey: (event) => event.project_id,
  waitsFor: (event) => event.blog_id,
  partitions: 6,
  retention: { compacted: false, keepMs: 3 * 24 * 3_600_000 },
});
