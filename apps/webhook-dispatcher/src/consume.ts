import { onTopic, type ReceivedEvent, type TopicHandler } from '@blog-content/event-log';
import {
  changesVisibility,
  type LifecycleEvent,
  lifecycleTopic,
  projectsTopic,
  servedTopic,
  sessionsTopic,
  type VisibilityEvent,
} from '@blog-content/payload-schemas';
import type { RevokedSessionStore } from '@blog-content/service-runtime';
import type { Kind } from './kind.ts';
import type { ProjectStore } from './projects/project-store.ts';

/** Consumer group of this service: its replicas share the partitions. */
export const CONSUMER_GROUP = 'webhook-dispatcher';

/**
 * Acknowledgements that are recorded together: more than there are events in one planning. What is planned after its
 * acknowledgement is due immediately, what is planned before it has to be made due. Each takes one of the server's
 * locks meanwhile.
 */
const MAX_ACKNOWLEDGEMENTS_AT_ONCE = 250;

export interface ConsumeDependencies {
  readonly projects: Pick<ProjectStore, 'apply'>;
  readonly revokedSessions: Pick<RevokedSessionStore, 'add'>;
  /** In the order in which they plan. */
  readonly kinds: readonly Pick<Kind, 'plan' | 'markServed' | 'forget'>[];
}

/** Which topic is handled by what. Every handler is idempotent: events come at least once. */
export function createTopicHandlers({ projects, revokedSessions, kinds }: ConsumeDependencies): TopicHandler[] {
  return [
    onTopic(projectsTopic, async (events) => {
      await projects.apply(events.map((event) => event.data));
      const deleted = events.filter((event) => event.data.event === 'project.deleted');
      if (deleted.length === 0) return;
      const deletedIds = deleted.map((event) => event.data.project_id);
      for (const kind of kinds) await kind.forget?.(deletedIds);
    }),
    onTopic(sessionsTopic, (events) => revokedSessions.add(events.map((event) => event.data))),
    onTopic(lifecycleTopic, async (events) => {
      const changes = events.filter(isOfVisibility);
      const renames = events.flatMap(({ data }) => (data.event === 'blog.slugs_changed' ? [data] : []));
      // Deliveries last: their planning marks events as known, and none may be before every kind has its jobs.
      for (const kind of kinds) await kind.plan(changes, renames);
    }),
    onTopic(
      servedTopic,
      async (events) => {
        const served = events.map((event) => event.data);
        // Deliveries first: they wait for this, and store it for the deploy hooks, which look it up when they plan.
        for (const kind of kinds.toReversed()) await kind.markServed?.(served);
      },
      { batchSize: MAX_ACKNOWLEDGEMENTS_AT_ONCE },
    ),
  ];
}

function isOfVisibility(event: ReceivedEvent<LifecycleEvent>): event is ReceivedEvent<VisibilityEvent> {
  return changesVisibility(event.data);
}
