import type { ReceivedEvent } from '@blog-content/event-log';
import { effectOf, type LifecycleEvent, showsBlog, type ShowingEvent } from '@blog-content/payload-schemas';

export type ReceivedLifecycleEvent = ReceivedEvent<LifecycleEvent>;

/** How far the events of a blog have come. */
export interface Progress {
  /** The highest `blog_event_number` that is applied to the read model. */
  readonly eventNumber: number;
  /**
   * The highest that is announced as served. It is below `eventNumber` until every replica serves that, and after a
   * rebuild that was faster.
   */
  readonly announcedNumber: number;
}

/** The progress of a blog. */
export interface BlogPosition extends Progress {
  readonly blogId: string;
  readonly projectId: string;
}

/** What the last event that names a blog's slugs says of them. */
export interface BlogSlugs {
  readonly blogId: string;
  readonly projectId: string;
  /** What placeholders bound to the blog name. Null when the event does not say it. */
  readonly slug: string | null;
  readonly aliases: readonly string[];
}

/** What a batch of lifecycle events changes in the read model. */
export interface LifecyclePlan {
  /** The events that are news, in their order. */
  readonly applied: readonly ReceivedLifecycleEvent[];
  /** The events to announce, in their order: each of them is served once the plan is carried out. */
  readonly announced: readonly ReceivedLifecycleEvent[];
  /** New positions, one for each blog with something to apply or to announce. */
  readonly positions: readonly BlogPosition[];
  /** The blogs that are shown or hidden: their rows are replaced or removed. */
  readonly replaced: readonly string[];
  /** The slugs of each blog whose events name them. */
  readonly slugs: readonly BlogSlugs[];
  /** The projects of the blogs that are replaced or have other slugs. */
  readonly changedProjects: readonly string[];
  /** The blogs among them that end up published. The others do not. */
  readonly published: readonly ShowingEvent[];
  /** Each project's site address as its newest publish has it, for projects whose own event has not come. */
  readonly siteUrls: ReadonlyMap<string, string | null>;
}

const START: Progress = { eventNumber: 0, announcedNumber: 0 };

/**
 * Decides what a batch changes. An event is news when its number is above the blog's position: events come at least
 * once, and a repeated or overtaken one changes nothing. Of several events of one blog the last that does something
 * decides. An event that a rebuild has applied is no news any more and is announced all the same, once.
 *
 * @param positions blog id → progress before the batch
 */
export function planLifecycle(
  events: readonly ReceivedLifecycleEvent[],
  positions: ReadonlyMap<string, Progress>,
): LifecyclePlan {
  const applied: ReceivedLifecycleEvent[] = [];
  const announced: ReceivedLifecycleEvent[] = [];
  const newest = new Map<string, LifecycleEvent>();
  const slugs = new Map<string, BlogSlugs>();
  const after = new Map<string, BlogPosition>();
  const siteUrls = new Map<string, string | null>();
  for (const event of events) {
    const { data } = event;
    const known = after.get(data.blog_id) ?? positions.get(data.blog_id) ?? START;
    const isNews = data.blog_event_number > known.eventNumber;
    if (data.blog_event_number <= known.announcedNumber) continue;
    announced.push(event);
    after.set(data.blog_id, {
      blogId: data.blog_id,
      projectId: data.project_id,
      eventNumber: Math.max(known.eventNumber, data.blog_event_number),
      announcedNumber: data.blog_event_number,
    });
    if (!isNews) continue;
    applied.push(event);
    const named = slugsOf(data, slugs.get(data.blog_id)?.slug ?? null);
    if (named !== null) slugs.set(data.blog_id, named);
    if (effectOf(data.event) === 'nothing') continue;
    newest.set(data.blog_id, data);
    if (showsBlog(data)) siteUrls.set(data.project_id, data.site_url);
  }
  return {
    applied,
    announced,
    positions: [...after.values()],
    replaced: [...newest.keys()],
    slugs: [...slugs.values()],
    changedProjects: [
      ...new Set([
        ...[...newest.values()].map((event) => event.project_id),
        ...[...slugs.values()].map(({ projectId }) => projectId),
      ]),
    ],
    published: [...newest.values()].filter(showsBlog),
    siteUrls,
  };
}

/** Null when the event says nothing about the blog's slugs. A deleted blog has no aliases. */
function slugsOf(event: LifecycleEvent, earlier: string | null): BlogSlugs | null {
  const blog = { blogId: event.blog_id, projectId: event.project_id };
  switch (event.event) {
    case 'blog.published':
      return { ...blog, slug: event.revision.slug, aliases: event.aliases ?? [] };
    case 'blog.slugs_changed':
      return { ...blog, slug: event.slug, aliases: event.aliases };
    case 'blog.deleted':
      return { ...blog, slug: earlier, aliases: [] };
    case 'blog.unpublished':
      return null;
  }
}
