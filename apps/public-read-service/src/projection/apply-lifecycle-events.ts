import type { BlogServedEvent } from '@blog-content/payload-schemas';
import { planLifecycle, type LifecyclePlan, type ReceivedLifecycleEvent } from './plan-lifecycle.ts';
import type { LifecycleChanges, LifecycleState, ProjectionStore } from './projection-store.ts';
import { toPublishedBlog } from './to-published-blog.ts';

/**
 * Applies a batch of lifecycle events of one partition to the read model, all in one transaction: a reader sees all of it or
 * nothing. When no replica answers from before it any more, a second transaction announces each event that is news as
 * `blog.served`. Idempotent: repeated and overtaken events change and announce nothing, and what a crash or a rebuild has
 * left applied and not announced is announced when it comes again.
 *
 * @param waitForReplicas resolves when every replica serves what was committed up to this epoch
 * @returns how many of the events were news
 */
export async function applyLifecycleEvents(
  store: Pick<ProjectionStore, 'decideLifecycle'>,
  events: readonly ReceivedLifecycleEvent[],
  now: () => Date,
  waitForReplicas: (epoch: bigint) => Promise<void>,
): Promise<number> {
  const subject = {
    projectIds: events.map((event) => event.data.project_id),
    blogIds: events.map((event) => event.data.blog_id),
  };
  let applied = 0;
  let hasToAnnounce = false;
  const epoch = await store.decideLifecycle(subject, (state) => {
    const plan = planLifecycle(events, state.positions);
    applied = plan.applied.length;
    hasToAnnounce = plan.announced.length > 0;
    return applied === 0 ? { kind: 'nothing' } : { kind: 'change', changes: changesOf(plan, state) };
  });
  if (!hasToAnnounce) return applied;
  await waitForReplicas(epoch);
  await store.decideLifecycle(subject, ({ positions }) => {
    // Planned anew: meanwhile another consumer may have announced some of them.
    const plan = planLifecycle(events, positions);
    if (plan.announced.length === 0) return { kind: 'nothing' };
    const servedAt = now().toISOString();
    const served = plan.announced.map((event) => servedEvent(event, servedAt));
    return { kind: 'announce', positions: plan.positions, events: served };
  });
  return applied;
}

function changesOf(plan: LifecyclePlan, { projects, positions }: LifecycleState): LifecycleChanges {
  return {
    positions: plan.positions.map((position) => ({
      ...position,
      announcedNumber: positions.get(position.blogId)?.announcedNumber ?? 0,
    })),
    replaced: plan.replaced,
    published: plan.published.filter((event) => projects.get(event.project_id)?.deleted !== true).map(toPublishedBlog),
    // The project's own event is the authority on its address; it travels on another topic and may come later.
    siteUrls: new Map([...plan.siteUrls].filter(([projectId]) => projects.get(projectId)?.eventNumber === 0)),
    changedProjects: plan.changedProjects,
  };
}

function servedEvent({ id, data }: ReceivedLifecycleEvent, servedAt: string): BlogServedEvent {
  return {
    event: 'blog.served',
    project_id: data.project_id,
    blog_id: data.blog_id,
    blog_event_number: data.blog_event_number,
    lifecycle_event_id: id,
    served_at: servedAt,
  };
}
