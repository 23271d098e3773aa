import type { ReceivedEvent } from '@blog-content/event-log';
import type { BlogPublishedEvent, LifecycleEvent } from '@blog-content/payload-schemas';

export type ReceivedLifecycleEvent = ReceivedEvent<LifecycleEvent>;

/** How far the events of a blog have been applied: the highest `blog_event_number`. */
export interface BlogPosition {
  readonly blogId: string;
  readonly projectId: string;
  readonly eventNumber: number;
}

/** What a batch of lifecycle events changes in the read model. */
export interface LifecyclePlan {
  /** The events that are news, in their order. Each of them is served once the plan is carried out. */
  readonly applied: readonly ReceivedLifecycleEvent[];
  /** New positions, one for each blog with news. */
  readonly positions: readonly BlogPosition[];
  /** The blogs with news that end up published. The others with news end up not published. */
  readonly published: readonly BlogPublishedEvent[];
  /** What the newest publish of a project says of its site address, for projects that are known no better. */
  readonly siteUrls: ReadonlyMap<string, string | null>;
}

/**
 * Decides what a batch changes. An event is news when its number is above the blog's position: events come at least
 * once, and a repeated or overtaken one changes nothing. Of several events of one blog the last decides.
 *
 * @param positions blog id → number of the newest event applied before the batch
 */
export function planLifecycle(
  events: readonly ReceivedLifecycleEvent[],
  positions: ReadonlyMap<string, number>,
): LifecyclePlan {
  const applied: ReceivedLifecycleEvent[] = [];
  const newest = new Map<string, LifecycleEvent>();
  const siteUrls = new Map<string, string | null>();
  for (const event of events) {
    const { data } = event;
    const position = newest.get(data.blog_id)?.blog_event_number ?? positions.get(data.blog_id) ?? 0;
    if (data.blog_event_number <= position) continue;
    applied.push(event);
    newest.set(data.blog_id, data);
    if (data.event === 'blog.published') siteUrls.set(data.project_id, data.site_url);
  }
  return {
    applied,
    positions: [...newest.values()].map((event) => ({
      blogId: event.blog_id,
      projectId: event.project_id,
      eventNumber: event.blog_event_number,
    })),
    published: [...newest.values()].filter((event) => event.event === 'blog.published'),
    siteUrls,
  };
}
