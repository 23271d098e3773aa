import { z } from 'zod';
import { timestamp } from './primitives.ts';
import { defineTopic } from './topic.ts';

/** Why the autopilot of a project makes no posts now. */
export const autopilotReason = z.enum(['repeated_failure', 'empty_queue', 'budget']);
export type AutopilotReason = z.infer<typeof autopilotReason>;

/** The autopilot of a project stopped, or waits. */
export const autopilotStoppedEvent = z.object({
  event: z.literal('autopilot.stopped'),
  project_id: z.uuid(),
  reason: autopilotReason,
  detail: z.string().describe('Human-readable explanation.'),
  goes_on: z
    .enum(['when_resumed', 'by_itself'])
    .describe('Whether a member must resume it. Otherwise it resumes with the next topic or the next month.'),
  stopped_at: timestamp,
});
export type AutopilotStoppedEvent = z.infer<typeof autopilotStoppedEvent>;

/** What owners should hear of their project's autopilot. */
export const autopilotTopic = defineTopic({
  name: 'blog.autopilot',
  description: 'News about a project’s autopilot for its owners.',
  schema: autopilotStoppedEvent,
  key: (event) => event.project_id,
  partitionKey: (event) => event.project_id,
  partitions: 6,
  retention: { compacted: false, keepMs: 7 * 24 * 3_600_000 },
});
