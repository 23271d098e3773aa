import { autopilotTopic } from './autopilot-topic.ts';
import { deliveriesTopic } from './deliveries-topic.ts';
import { lifecycleTopic } from './lifecycle-topic.ts';
import { projectsTopic } from './projects-topic.ts';
import { servedTopic } from './served-topic.ts';
import { sessionsTopic } from './sessions-topic.ts';
import type { Topic } from './topic.ts';

/** All that the services tell each other. */
export const topics = [
  lifecycleTopic,
  projectsTopic,
  servedTopic,
  deliveriesTopic,
  sessionsTopic,
  autopilotTopic,
] as unknown as readonly Topic[];
