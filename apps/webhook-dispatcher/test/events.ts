import { randomUUID } from 'node:crypto';
import { toEnvelope, type EventEnvelope } from '@blog-content/event-log';
import {
  type BlogPublishedEvent,
  type BlogServedEvent,
  type BlogSlugsChangedEvent,
  lifecycleTopic,
  type MemberRole,
  type ProjectEvent,
  projectsTopic,
  servedTopic,
  sessionsTopic,
  type SessionRevokedEvent,
  type Topic,
  type VisibilityEvent,
} from '@blog-content/payload-schemas';

/** A lifecycle event as a consumer gets it. */
export interface TestEvent<E> extends EventEnvelope<E> {
  readonly partition: number;
  readonly offset: string;
}

/** A blog of one project whose events number themselves. */
export interface TestBlog {
  readonly projectId: string;
  readonly id: string;
  published(changes?: PublishChanges): TestEvent<BlogPublishedEvent>;
  unpublished(trigger?: 'manual' | 'autopilot'): TestEvent<VisibilityEvent>;
  deleted(trigger?: 'manual' | 'autopilot'): TestEvent<VisibilityEvent>;
  slugsChanged(slug: string, aliases?: readonly string[]): TestEvent<BlogSlugsChangedEvent>;
}

export interface PublishChanges extends Partial<Omit<BlogPublishedEvent, 'revision' | 'event'>> {
  readonly revision?: Partial<BlogPublishedEvent['revision']>;
  /** When the event happened; now when left out. */
  readonly time?: Date;
}

const TITLE = 'Tea & <coffee>';

export function testBlog(projectId: string): TestBlog {
  const id = randomUUID();
  let number = 0;
  const head = () => ({ blog_id: id, project_id: projectId, blog_event_number: (number += 1) });
  return {
    projectId,
    id,
    published({ revision, time = new Date(), ...changes } = {}) {
      const event: BlogPublishedEvent = {
        event: 'blog.published',
        ...head(),
        trigger: 'manual',
        publish_id: randomUUID(),
        published_at: '2026-11-21T09:00:00.000Z',
        publication_began_at: '2026-11-20T09:00:00.000Z',
        site_url: 'https://site.example',
        published_link_targets: [],
        ...changes,
        revision: {
          number,
          title: TITLE,
          slug: 'tea-and-coffee',
          content: '<p>Hot.</p>',
          excerpt: 'Hot drinks.',
          meta_title: null,
          meta_description: null,
          featured_image_url: null,
          categories: ['Drinks'],
          tags: [],
          keyword: null,
          ...revision,
        },
      };
      return received(lifecycleTopic, event, time);
    },
    unpublished: (trigger = 'manual') =>
      ofVisibility({
        event: 'blog.unpublished',
        ...head(),
        trigger,
        title: TITLE,
        unpublished_at: new Date().toISOString(),
      }),
    deleted: (trigger = 'manual') =>
      ofVisibility({
        event: 'blog.deleted',
        ...head(),
        trigger,
        title: TITLE,
        deleted_at: new Date().toISOString(),
      }),
    slugsChanged(slug, aliases = []) {
      const event: BlogSlugsChangedEvent = {
        event: 'blog.slugs_changed',
        ...head(),
        trigger: 'manual',
        slug,
        aliases: [...aliases],
      };
      return received(lifecycleTopic, event);
    },
  };
}

const ofVisibility = (event: VisibilityEvent): TestEvent<VisibilityEvent> => received(lifecycleTopic, event);

/** The acknowledgement of a lifecycle event. */
export function servedEvent(lifecycle: EventEnvelope<VisibilityEvent>): TestEvent<BlogServedEvent> {
  return received(servedTopic, {
    event: 'blog.served',
    project_id: lifecycle.data.project_id,
    blog_id: lifecycle.data.blog_id,
    blog_event_number: lifecycle.data.blog_event_number,
    lifecycle_event_id: lifecycle.id,
    served_at: new Date().toISOString(),
  });
}

/** A project with these owners and editors. */
export function projectSaved(
  projectId: string,
  ownerIds: readonly string[],
  number = 1,
  editorIds: readonly string[] = [],
  authors?: Extract<ProjectEvent, { event: 'project.saved' }>['authors'],
): TestEvent<ProjectEvent> {
  const membersAs = (role: MemberRole, ids: readonly string[]) => ids.map((account_id) => ({ account_id, role }));
  return received(projectsTopic, {
    event: 'project.saved',
    project_id: projectId,
    project_event_number: number,
    name: 'Site',
    site_url: 'https://site.example',
    members: [...membersAs('owner', ownerIds), ...membersAs('editor', editorIds)],
    ...(authors && { authors }),
  });
}

export function projectDeleted(projectId: string, number: number): TestEvent<ProjectEvent> {
  return received(projectsTopic, { event: 'project.deleted', project_id: projectId, project_event_number: number });
}

/** A session that has ended, with tokens that are valid for another `inMs`. */
export function sessionRevoked(sessionId: string, inMs = 3_600_000): TestEvent<SessionRevokedEvent> {
  const expires_at = new Date(Date.now() + inMs).toISOString();
  return received(sessionsTopic, { event: 'session.revoked', session_id: sessionId, expires_at });
}

function received<Base extends { event: string }, Event extends Base>(
  topic: Topic<Base>,
  event: Event,
  time: Date = new Date(),
): TestEvent<Event> {
  const envelope = toEnvelope(topic, event, { source: '/content-service', time }) as EventEnvelope<Event>;
  return { ...envelope, partition: 0, offset: '0' };
}
