import { mapInSlices } from '@blog-content/concurrency';
import { toEnvelope, type EventEnvelope } from '@blog-content/event-log';
import { servedTopic, type BlogServedEvent } from '@blog-content/payload-schemas';
import { createHash } from 'node:crypto';
import { planLifecycle, type LifecyclePlan, type ReceivedLifecycleEvent } from './plan-lifecycle.ts';
import type { LifecycleChanges, LifecycleState, ProjectionStore, CommittedChange } from './projection-store.ts';
import { toPublishedBlog } from './to-published-blog.ts';

/** What applying lifecycle events needs besides the store. */
export interface ApplyDependencies {
  readonly now: () => Date;
  /** Resolves when every replica serves what was committed up to this epoch. */
  readonly waitForReplicas: (visible: CommittedChange) => Promise<void>;
  /** Appends to the event log; resolves when the events are durable there. */
  readonly announce: (events: readonly EventEnvelope<BlogServedEvent>[]) => Promise<void>;
}

/**
 * Applies a batch of lifecycle events of one partition to the read model in one transaction: a reader sees all of it or
 * nothing. When no replica answers from before it, each event that is news is acknowledged: announced as `blog.served`,
 * and noted as announced. Idempotent: repeated and overtaken events change and announce nothing. What a crash or a
 * rebuild has left applied and not announced is announced when it comes again, under the same id (ADR 14).
 *
 * @returns how many of the events were news
 */
export async function applyLifecycleEvents(
  store: Pick<ProjectionStore, 'decideLifecycle' | 'markAnnounced'>,
  events: readonly ReceivedLifecycleEvent[],
  { now, waitForReplicas, announce }: ApplyDependencies,
): Promise<number> {
  const subject = {
    projectIds: events.map((event) => event.data.project_id),
    blogIds: events.map((event) => event.data.blog_id),
  };
  let plan: LifecyclePlan | undefined;
  const visible = await store.decideLifecycle(subject, async (state) => {
    plan = planLifecycle(events, state.positions);
    return plan.applied.length === 0 ? null : changesOf(plan, state);
  });
  if (plan === undefined || plan.announced.length === 0) return 0;
  await waitForReplicas(visible);
  const servedAt = now();
  await announce(plan.announced.map((event) => servedEnvelope(event, servedAt)));
  await store.markAnnounced(plan.positions);
  return plan.applied.length;
}

async function changesOf(plan: LifecyclePlan, { projects, positions }: LifecycleState): Promise<LifecycleChanges> {
  const isKept = (projectId: string) => projects.get(projectId)?.deleted !== true;
  const shown = plan.published.filter((event) => isKept(event.project_id));
  return {
    positions: plan.positions.map((position) => ({
      ...position,
      announcedNumber: positions.get(position.blogId)?.announcedNumber ?? 0,
    })),
    replaced: plan.replaced,
    published: await mapInSlices(shown, toPublishedBlog),
    slugs: plan.slugs.filter(({ projectId }) => isKept(projectId)),
    // The project's own event is the authority on its address; it travels on another topic and may come later.
    siteUrls: new Map([...plan.siteUrls].filter(([projectId]) => projects.get(projectId)?.eventNumber === 0)),
    changedProjects: plan.changedProjects,
  };
}

function servedEnvelope({ id, data }: ReceivedLifecycleEvent, servedAt: Date): EventEnvelope<BlogServedEvent> {
  const event: BlogServedEvent = {
    event: 'blog.served',
    project_id: data.project_id,
    blog_id: data.blog_id,
    blog_event_number: data.blog_event_number,
    lifecycle_event_id: id,
    served_at: servedAt.toISOString(),
  };
  return toEnvelope(servedTopic, event, { source: '/public-read-service', id: servedEventId(id), time: servedAt });
}

/**
 * The id of the `blog.served` of a lifecycle event: a UUID of version 5. An event that is announced again has the same.
 */
function servedEventId(lifecycleEventId: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(lifecycleEventId.replaceAll('-', ''), 'hex'))
    .update('blog.served')
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
