import type { ReceivedEvent } from '@blog-content/event-log';
import type { ProjectEvent } from '@blog-content/payload-schemas';
import { storableText } from '@blog-content/service-runtime';
import { toStoredAuthor } from '../queries/published-blog.ts';
import type { ProjectionStore, ProjectKnowledge, ProjectTransaction } from './projection-store.ts';

/**
 * Applies a batch of project events of one partition to the read model in one transaction. Each event is the whole
 * state of its project, so only the newest of a project matters; what is not newer than what is known changes nothing.
 *
 * @returns how many projects changed
 */
export async function applyProjectEvents(
  store: ProjectionStore,
  events: readonly ReceivedEvent<ProjectEvent>[],
  now: () => Date,
): Promise<number> {
  const newest = newestOfEach(events);
  return store.inTransaction(async (transaction) => {
    const projects = await transaction.lockProjects(newest.map((event) => event.project_id));
    const changed: string[] = [];
    const ofAllPosts: string[] = [];
    let applied = 0;
    for (const event of newest) {
      const known = projects.get(event.project_id);
      if (!known || event.project_event_number <= known.eventNumber) continue;
      const change = await apply(transaction, event, known, now);
      if (change !== 'nothing') changed.push(event.project_id);
      if (change === 'all posts') ofAllPosts.push(event.project_id);
      applied += 1;
    }
    if (changed.length > 0) await transaction.bumpVersions(changed, ofAllPosts);
    return applied;
  });
}

/** The newest event of each project: it is its whole state. */
export function newestOfEach(events: readonly ReceivedEvent<ProjectEvent>[]): ProjectEvent[] {
  const newest = new Map<string, ProjectEvent>();
  for (const { data } of events) {
    const known = newest.get(data.project_id);
    if (!known || data.project_event_number > known.project_event_number) newest.set(data.project_id, data);
  }
  return [...newest.values()];
}

/**
 * What readers see changed: feeds have the project's name, posts have its address, its authors are listed, and of a
 * suspended project they may see nothing.
 */
type SeenChange = 'nothing' | 'project' | 'all posts';

async function apply(
  transaction: ProjectTransaction,
  event: ProjectEvent,
  known: ProjectKnowledge,
  now: () => Date,
): Promise<SeenChange> {
  switch (event.event) {
    case 'project.deleted':
      await transaction.deleteProject(event.project_id, event.project_event_number, now());
      return 'all posts';
    case 'project.saved': {
      const name = storableText(event.name);
      const hasOtherAuthors = await transaction.saveProject({
        id: event.project_id,
        eventNumber: event.project_event_number,
        name,
        siteUrl: event.site_url,
        members: event.members.map((member) => ({ accountId: member.account_id, role: member.role })),
        suspended: event.suspended,
        authors: event.authors?.map(toStoredAuthor),
      });
      if (event.site_url !== known.siteUrl || hasOtherAuthors) return 'all posts';
      const { suspended = known.suspended } = event;
      const isSame = name === known.name && suspended === known.suspended;
      return isSame ? 'nothing' : 'project';
    }
  }
}
