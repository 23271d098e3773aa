import { projectsTopic } from '@blog-content/payload-schemas';
import type { IfMatch } from '@blog-content/service-runtime';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { emit } from '../platform/database/outbox-store.ts';
import { lockProjectAsOwner, type ProjectActor } from './project-change-store.ts';

export type ProjectDeletion =
  | { readonly deleted: true }
  | { readonly refused: 'not_found' }
  | { readonly refused: 'changed' }
  | { readonly refused: 'published'; readonly blogs: number };

/** Clears some of what a deleted project still holds. */
export type ClearProject = (projectId: string) => Promise<unknown>;

/**
 * Deletes a project: one transaction emits `project.deleted` and deletes its data fields, and its members, authors,
 * agent keys, invitations and schedules, so that nobody has access any more. Its content is cleared afterwards: `clear`
 * begins, and a sweep does the rest. Refused while a blog is published: receivers must get an event for each.
 */
export async function deleteProject(
  database: Database | Transaction,
  owner: ProjectActor,
  ifMatch: IfMatch,
  clock: () => Date,
  clear: ClearProject,
): Promise<ProjectDeletion> {
  const { projectId } = owner;
  const deletion = await database.$transaction(async (tx): Promise<ProjectDeletion> => {
    // A publish locks the project too: one that runs ends first, and no other begins.
    const project = await lockProjectAsOwner(tx, owner);
    if (!project) return { refused: 'not_found' };
    if (!ifMatch(project.eventNumber)) return { refused: 'changed' };
    const blogs = await tx.blog.count({ where: { projectId, state: 'published' } });
    if (blogs > 0) return { refused: 'published', blogs };

    const now = clock();
    await tx.blog.updateMany({
      where: { projectId, publishAt: { not: null } },
      data: { publishAt: null, publishAtSetBy: null, publishRetryAt: null },
    });
    await tx.projectMember.deleteMany({ where: { projectId } });
    await tx.agentKey.deleteMany({ where: { projectId } });
    await tx.author.deleteMany({ where: { projectId } });
    await tx.invitation.deleteMany({ where: { projectId } });
    await tx.memberInvitation.deleteMany({ where: { projectId } });
    await tx.dataFields.deleteMany({ where: { projectId } });
    await tx.quota.deleteMany({ where: { subjectId: projectId } });
    const { eventNumber } = await tx.project.update({
      where: { id: projectId },
      data: { name: '', siteUrl: null, deletedAt: now, eventNumber: { increment: 1 } },
    });
    const event = { event: 'project.deleted', project_id: projectId, project_event_number: eventNumber } as const;
    await emit(tx, projectsTopic, event, now);
    return { deleted: true };
  });
  if ('deleted' in deletion) await clear(projectId);
  return deletion;
}
