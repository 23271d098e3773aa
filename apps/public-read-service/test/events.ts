import type { ReceivedEvent } from '@blog-content/event-log';
import {
  lifecycleTopic,
  type BlogPublishedEvent,
  type BlogSlugsChangedEvent,
  type LifecycleEvent,
  type ProjectEvent,
  type PublishedRevision,
} from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';

const project_id = '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11';

/** A `blog.published` event with everything that is not given filled in. */
export function blogPublished({
  revision = {},
  ...given
}: Partial<Omit<BlogPublishedEvent, 'revision'>> & { revision?: Partial<PublishedRevision> } = {}): BlogPublishedEvent {
  return {
    event: 'blog.published',
    blog_id: randomUUID(),
    project_id,
    blog_event_number: 1,
    trigger: 'manual',
    publish_id: randomUUID(),
    published_at: '2026-03-02T10:00:00.000Z',
    publication_began_at: '2026-03-01T10:00:00.000Z',
    site_url: null,
    published_link_targets: [],
    ...given,
    revision: {
      number: 1,
      title: 'Green tea',
      slug: 'green-tea',
      content: '<p>Hot water.</p>',
      excerpt: 'About tea.',
      meta_title: null,
      meta_description: null,
      featured_image_url: null,
      categories: [],
      tags: [],
      keyword: null,
      ...revision,
    },
  };
}

/** A `blog.unpublished` event. */
export function blogUnpublished(given: {
  blog_id: string;
  blog_event_number: number;
  project_id?: string;
}): LifecycleEvent {
  return {
    event: 'blog.unpublished',
    project_id,
    trigger: 'manual',
    title: 'Green tea',
    unpublished_at: '2026-03-03T10:00:00.000Z',
    ...given,
  };
}

/** A `blog.deleted` event. */
export function blogDeleted(given: {
  blog_id: string;
  blog_event_number: number;
  project_id?: string;
}): LifecycleEvent {
  return {
    event: 'blog.deleted',
    project_id,
    trigger: 'manual',
    title: 'Green tea',
    deleted_at: '2026-03-03T10:00:00.000Z',
    ...given,
  };
}

/** A `blog.slugs_changed` event. */
export function slugsChanged(
  given: Pick<BlogSlugsChangedEvent, 'blog_id' | 'blog_event_number' | 'slug'> & Partial<BlogSlugsChangedEvent>,
): BlogSlugsChangedEvent {
  return { event: 'blog.slugs_changed', project_id, trigger: 'manual', aliases: [], ...given };
}

/** A `project.saved` event. */
export function projectSaved(
  given: Partial<Extract<ProjectEvent, { event: 'project.saved' }>> & { project_id: string },
): ProjectEvent {
  return { event: 'project.saved', project_event_number: 1, name: 'Tea site', site_url: null, members: [], ...given };
}

function keyOf(data: LifecycleEvent | ProjectEvent): string {
  return 'blog_id' in data ? lifecycleTopic.key(data) : data.project_id;
}

/** The event as a handler gets it; each call makes an event of its own. */
export function received<Event extends LifecycleEvent | ProjectEvent>(data: Event): ReceivedEvent<Event> {
  const isProject = data.event === 'project.saved' || data.event === 'project.deleted';
  return {
    id: randomUUID(),
    topic: isProject ? 'blog.projects' : 'blog.lifecycle',
    type: data.event,
    source: '/content-service',
    key: keyOf(data),
    partitionKey: data.project_id,
    time: '2026-03-02T10:00:00.000Z',
    data,
    partition: 0,
    offset: '0',
  };
}
