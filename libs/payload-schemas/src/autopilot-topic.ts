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
  detail: z.string().describe('The same for people.'),
  goes_on: z
    .enum(['when_resumed', 'by_itself'])
    .describe('Whether a member has to resume it, or it goes on once there is a topic, or a new month.'),
  stopped_at: timestamp,
});
export type AutopilotStoppedEvent = z.infer<typeof autopilotStoppedEvent>;

/** What owners should hear of their project's autopilot. */
export const autopilotTopic = defineTopic({
  name: 'blog.autopilot',
  description: 'What owners should hear of the autopilot of their project.',
  schema: autopilotStoppedEvent,
  key: (event) => event.project_id,
  partitionKey: (event) => event.project_id,
  partitions: 6,
  retention: { compacted: false, keepMs: 7 * 24 * 3_600_000 },
});
