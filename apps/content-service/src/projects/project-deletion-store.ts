import { projectsTopic } from '@blog-content/payload-schemas';
import type { IfMatch } from '@blog-content/service-runtime';
import { NOTHING_WRITTEN } from '../blogs/draft.ts';
import type { Database } from '../open-database.ts';
import { emit } from '../outbox-store.ts';
import { lockProjectAsOwner, type ProjectActor } from './project-change-store.ts';

export type ProjectDeletion =
  | { readonly deleted: true }
  | { readonly refused: 'not_found' }
  | { readonly refused: 'changed' }
  | { readonly refused: 'published'; readonly blogs: number };

/** Room for a project with very many blogs and revisions. */
const DELETION_TIMEOUT_MS = 120_000;

/**
 * Deletes a project in one transaction: `project.deleted` goes out, its blogs become tombstones without content, and members,
 * agent keys, invitations and imports go. Refused while a blog is published: receivers must hear of each that goes.
 */
export function deleteProject(
  database: Database,
  owner: ProjectActor,
  ifMatch: IfMatch,
  clock: () => Date,
): Promise<ProjectDeletion> {
  const { projectId } = owner;
  return database.$transaction(
    async (tx): Promise<ProjectDeletion> => {
      const project = await lockProjectAsOwner(tx, owner);
      if (!project) return { refused: 'not_found' };
      if (!ifMatch(project.eventNumber)) return { refused: 'changed' };
      // Locked before they are counted: a publish under way ends first, and none begins.
      const [{ published } = { published: 0n }] = await tx.$queryRaw<{ published: bigint }[]>`
        SELECT count(*) FILTER (WHERE state = 'published') AS published FROM (
          SELECT state FROM blog WHERE project_id = ${projectId}::uuid AND state <> 'deleted' FOR UPDATE) AS blogs`;
      if (published > 0n) return { refused: 'published', blogs: Number(published) };

      const now = clock();
      await tx.$executeRaw`
        DELETE FROM blog_revision USING blog
        WHERE blog.id = blog_revision.blog_id AND blog.project_id = ${projectId}::uuid`;
      await tx.slugClaim.deleteMany({ where: { projectId } });
      await tx.blog.updateMany({
        where: { projectId, state: { not: 'deleted' } },
        data: { ...NOTHING_WRITTEN, state: 'deleted', deletedAt: now, publishAt: null, publishAtSetBy: null },
      });
      await tx.projectMember.deleteMany({ where: { projectId } });
      await tx.agentKey.deleteMany({ where: { projectId } });
      await tx.invitation.deleteMany({ where: { projectId } });
      await tx.memberInvitation.deleteMany({ where: { projectId } });
      await tx.import.deleteMany({ where: { projectId } });
      const { eventNumber } = await tx.project.update({
        where: { id: projectId },
        data: { name: '', siteUrl: null, deletedAt: now, eventNumber: { increment: 1 } },
      });
      const event = { event: 'project.deleted', project_id: projectId, project_event_number: eventNumber } as const;
      await emit(tx, projectsTopic, event, now);
      return { deleted: true };
    },
    { timeout: DELETION_TIMEOUT_MS },
  );
}
