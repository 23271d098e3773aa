import type { BlogServedEvent } from '@blog-content/payload-schemas';
import { planLifecycle, type ReceivedLifecycleEvent } from './plan-lifecycle.ts';
import type { ProjectionStore } from './projection-store.ts';
import { toPublishedBlog } from './to-published-blog.ts';

/**
 * Applies a batch of lifecycle events of one partition to the read model, all in one transaction: a reader sees all of
 * it or nothing. Each event that is news is announced as `blog.served`; the public API asks the database on every
 * request, so what is committed is served. Idempotent: repeated and overtaken events change and announce nothing.
 *
 * @returns how many of the events were news
 */
export async function applyLifecycleEvents(
  store: ProjectionStore,
  events: readonly ReceivedLifecycleEvent[],
  now: () => Date,
): Promise<number> {
  return store.inTransaction(async (transaction) => {
    const projects = await transaction.lockProjects(events.map((event) => event.data.project_id));
    const positions = await transaction.positionsOf(events.map((event) => event.data.blog_id));
    const plan = planLifecycle(events, positions);
    if (plan.applied.length === 0) return 0;

    const isAlive = (projectId: string): boolean => projects.get(projectId)?.deleted !== true;
    await transaction.savePositions(plan.positions);
    await transaction.replaceBlogs(
      plan.positions.map((position) => position.blogId),
      plan.published.filter((event) => isAlive(event.project_id)).map(toPublishedBlog),
    );
    for (const [projectId, siteUrl] of plan.siteUrls) {
      // The project's own event is the authority on its address; it travels on another topic and may come later.
      if (projects.get(projectId)?.eventNumber === 0) await transaction.saveSiteUrl(projectId, siteUrl);
    }
    await transaction.bumpVersions([...new Set(plan.positions.map((position) => position.projectId))]);
    const servedAt = now().toISOString();
    await transaction.announceServed(plan.applied.map((event) => servedEvent(event, servedAt)));
    return plan.applied.length;
  });
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
