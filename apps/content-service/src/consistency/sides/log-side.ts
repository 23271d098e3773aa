import { onTopic, type EventLog, type EventLogLogger, type ReceivedEvent } from '@blog-content/event-log';
import {
  effectOf,
  lifecycleTopic,
  projectsTopic,
  showsBlog,
  type LifecycleEvent,
  type ProjectEvent,
} from '@blog-content/payload-schemas';
import type { LogBlog, LogProject } from '../compare.ts';
import { createBits } from './bits.ts';
import type { ContentSide } from './content-side-store.ts';

/** Events that are looked up in content-service together. */
const BATCH_SIZE = 300;

/** What only the log names, or has newer than content-service: as many as there are differences. */
interface Ahead {
  readonly number: number;
  readonly title: string | null;
}

export type LogSide = Awaited<ReturnType<typeof openLogSide>>;

/**
 * What the log says, read from its beginning to what is there now, and again by `catchUp`. What agrees with
 * content-service takes a few bits a post.
 *
 * @param projectId leaves out all other projects
 */
export async function openLogSide(options: {
  readonly eventLog: EventLog;
  readonly content: Pick<ContentSide, 'blogs' | 'projects'>;
  readonly logger: EventLogLogger;
  readonly projectId: string | undefined;
  readonly onRead: (events: number) => void;
}) {
  const { eventLog, content, logger, projectId: only, onRead } = options;
  const showing = createBits();
  const current = createBits();
  /** By project and post. */
  const ahead = new Map<string, Map<string, Ahead>>();
  const aheadOf = (projectId: string) => {
    const posts = ahead.get(projectId) ?? new Map<string, Ahead>();
    ahead.set(projectId, posts);
    return posts;
  };
  const currentProjects = createBits();
  const showingProjects = createBits();
  const aheadProjects = new Map<string, number>();

  const handleBlogs = async (received: readonly ReceivedEvent<LifecycleEvent>[]) => {
    onRead(received.length);
    const events = received.map(({ data }) => data).filter((event) => only === undefined || event.project_id === only);
    if (events.length === 0) return;
    // After the events: content-service commits before the log has them.
    const known = await content.blogs([...new Set(events.map((event) => event.blog_id))]);
    for (const event of events) {
      const blog = known.get(event.blog_id);
      const shows = showsBlog(event);
      const title = shows ? event.revision.title : null;
      const found = { number: event.blog_event_number, title };
      if (blog === undefined) {
        if (shows) aheadOf(event.project_id).set(event.blog_id, found);
        else if (effectOf(event.event) === 'hides') ahead.get(event.project_id)?.delete(event.blog_id);
        continue;
      }
      if (effectOf(event.event) !== 'nothing') {
        showing.set(blog.position, shows);
        current.set(blog.position, shows && event.publish_id === blog.publication?.publishId);
      }
      if (event.blog_event_number > blog.eventNumber) aheadOf(event.project_id).set(event.blog_id, found);
    }
  };

  const handleProjects = async (received: readonly ReceivedEvent<ProjectEvent>[]) => {
    onRead(received.length);
    const events = received.map(({ data }) => data).filter((event) => only === undefined || event.project_id === only);
    if (events.length === 0) return;
    const known = await content.projects([...new Set(events.map((event) => event.project_id))]);
    for (const event of events) {
      const project = known.get(event.project_id);
      const shows = event.event === 'project.saved';
      if (project === undefined) {
        if (shows) aheadProjects.set(event.project_id, event.project_event_number);
        else aheadProjects.delete(event.project_id);
        continue;
      }
      showingProjects.set(project.position, shows);
      currentProjects.set(project.position, event.project_event_number === project.eventNumber);
      if (event.project_event_number > project.eventNumber) {
        aheadProjects.set(event.project_id, event.project_event_number);
      }
    }
  };

  const handlers = [onTopic(lifecycleTopic, handleBlogs), onTopic(projectsTopic, handleProjects)];
  const reader = await eventLog.readFromBeginning({ handlers, logger, batchSize: BATCH_SIZE });
  return {
    catchUp: () => reader.catchUp(),
    close: () => reader.close(),

    /** @param position the post's in content-service; undefined if that doesn't know it */
    blog(projectId: string, id: string, position: number | undefined): LogBlog {
      const found = ahead.get(projectId)?.get(id);
      return {
        shows: position === undefined ? found !== undefined : showing.has(position),
        isCurrent: position !== undefined && current.has(position),
        aheadNumber: found?.number ?? 0,
        title: found?.title ?? null,
      };
    },

    project(id: string, position: number | undefined): LogProject {
      const aheadNumber = aheadProjects.get(id) ?? 0;
      return {
        shows: position === undefined ? aheadNumber > 0 : showingProjects.has(position),
        isCurrent: position !== undefined && currentProjects.has(position),
        aheadNumber,
      };
    },

    /** The projects, and the posts of one, that differ here, in the order of their ids. */
    projectIds: (after: string): string[] =>
      [...new Set([...aheadProjects.keys(), ...ahead.keys()])].filter((id) => id > after).toSorted(),
    blogIds: (projectId: string, after: string): string[] =>
      [...(ahead.get(projectId)?.keys() ?? [])].filter((id) => id > after).toSorted(),
  };
}
