import type { SuspensionScope } from '@blog-content/payload-schemas';
import type { Database } from '../platform/database/open-database.ts';
import { emitProjectChange, lockProject } from '../projects/project-change-store.ts';
import type { ProjectRow } from '../projects/project-store.ts';

export type SuspensionStore = ReturnType<typeof createSuspensionStore>;

/**
 * Suspends and resumes projects for the administrator. The other services hear of it as of any change of a project: by
 * an event in the same transaction. The lock waits for publishes that have begun, and those that come later see it.
 */
export function createSuspensionStore(database: Database, clock: () => Date) {
  const change = (projectId: string, suspended: SuspensionScope | null, reason: string | null) =>
    database.$transaction(async (tx): Promise<ProjectRow | null> => {
      const project = await lockProject(tx, projectId);
      if (project === null) return null;
      if (project.suspended === suspended && project.suspendedReason === reason) return project;
      const now = clock();
      const since = project.suspended === null ? now : project.suspendedAt;
      await tx.project.update({
        where: { id: projectId },
        data: { suspended, suspendedReason: reason, suspendedAt: suspended === null ? null : since },
      });
      return emitProjectChange(tx, projectId, now);
    });

  return {
    /** Null when there is no such project. Idempotent, and changes the scope of a suspended one. */
    suspend: (projectId: string, scope: SuspensionScope, reason: string | null) => change(projectId, scope, reason),
    /** Null when there is no such project. Idempotent. */
    resume: (projectId: string) => change(projectId, null, null),
  };
}
