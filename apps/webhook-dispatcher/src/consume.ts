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
import type { PlanStore } from './planning/plan-store.ts';
import type { DeployHookEvents } from './deploy-hooks/start-deploy-hooks.ts';
import type { IndexNow } from './index-now/start-index-now.ts';
import type { ProjectStore } from './projects/project-store.ts';

/** Consumer group of this service: its replicas share the partitions. */
export const CONSUMER_GROUP = 'webhook-dispatcher';

/**
 * Acknowledgements that are recorded at once: more than there are events in one planning. What is planned after its
 * acknowledgement is due at once, what is planned before it has to be made due. Each takes one of the server's locks
 * meanwhile.
 */
const MAX_ACKNOWLEDGEMENTS_AT_ONCE = 250;

export interface ConsumeDependencies {
  readonly projects: Pick<ProjectStore, 'apply'>;
  readonly revokedSessions: Pick<RevokedSessionStore, 'add'>;
  readonly plans: PlanStore;
  /** Renders contents ahead of their deliveries. */
  readonly prepareContents: (events: readonly VisibilityEvent[]) => void;
  /** Deliveries may be due: the database says so to every replica, and this one need not wait to hear it. */
  readonly wake: () => void;
  readonly deployHooks: DeployHookEvents;
  readonly indexNow: IndexNow['events'];
  /** How long a delivery waits for the acknowledgement, in milliseconds. */
  readonly servedWaitMs: number;
}

/** Which topic is handled by what. Every handler is idempotent: events come at least once. */
export function createTopicHandlers(dependencies: ConsumeDependencies): TopicHandler[] {
  const { projects, revokedSessions, plans, prepareContents, wake, deployHooks, indexNow, servedWaitMs } = dependencies;
  return [
    onTopic(projectsTopic, async (events) => {
      await projects.apply(events.map((event) => event.data));
      const deleted = events.filter((event) => event.data.event === 'project.deleted');
      if (deleted.length === 0) return;
      const deletedIds = deleted.map((event) => event.data.project_id);
      await deployHooks.forget(deletedIds);
      await indexNow.forget(deletedIds);
    }),
    onTopic(sessionsTopic, (events) => revokedSessions.add(events.map((event) => event.data))),
    onTopic(lifecycleTopic, async (events) => {
      const changes = events.filter(isOfVisibility);
      // First: what has been planned is not kept any more.
      await deployHooks.keep(changes);
      await indexNow.keep(changes);
      prepareContents(await plans.plan(changes, { servedWaitMs }));
      await plans.keepSlugs(events.flatMap(({ data }) => (data.event === 'blog.slugs_changed' ? [data] : [])));
    }),
    onTopic(
      servedTopic,
      async (events) => {
        const served = events.map((event) => event.data);
        // First: every delivery waits for this.
        if (await plans.markServed(served)) wake();
        await deployHooks.markServed(served);
      },
      { batchSize: MAX_ACKNOWLEDGEMENTS_AT_ONCE },
    ),
  ];
}

function isOfVisibility(event: ReceivedEvent<LifecycleEvent>): event is ReceivedEvent<VisibilityEvent> {
  return changesVisibility(event.data);
}
