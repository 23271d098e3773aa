import { onTopic, type TopicHandler } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic, servedTopic } from '@blog-content/payload-schemas';
import type { PlanStore } from './delivery/plan-store.ts';
import type { ProjectStore } from './projects/project-store.ts';

/** Consumer group of this service: its replicas share the partitions. */
export const CONSUMER_GROUP = 'webhook-dispatcher';

export interface ConsumeDependencies {
  readonly projects: Pick<ProjectStore, 'apply'>;
  readonly plans: PlanStore;
  /** How long a delivery waits for the read service's word, in milliseconds. */
  readonly servedWaitMs: number;
}

/** Which topic is handled by what. Every handler is idempotent: events come at least once. */
export function createTopicHandlers({ projects, plans, servedWaitMs }: ConsumeDependencies): TopicHandler[] {
  return [
    onTopic(projectsTopic, (events) => projects.apply(events.map((event) => event.data))),
    onTopic(lifecycleTopic, (events) => plans.plan(events, { servedWaitMs })),
    onTopic(servedTopic, (events) => plans.markServed(events.map((event) => event.data))),
  ];
}
