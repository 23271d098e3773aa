import type { ProjectEvent } from '@blog-content/payload-schemas';
import type { Database } from '../open-database.ts';

/** The projects as far as this service needs them: who may manage their receivers. */
export interface ProjectStore {
  /** Applies events in order, in one transaction; an event not newer than what is stored changes nothing. */
  apply(events: readonly ProjectEvent[]): Promise<void>;
  /** Whether the project exists and the account is a member of it. */
  isMember(projectId: string, accountId: string): Promise<boolean>;
}

export function createProjectStore(database: Database): ProjectStore {
  return {
    async apply(events) {
      await database.$transaction(async (tx) => {
        for (const event of events) {
          const id = event.project_id;
          const state =
            event.event === 'project.saved'
              ? { name: event.name, siteUrl: event.site_url, deleted: false }
              : { name: '', siteUrl: null, deleted: true };
          const written = await tx.$executeRaw`
            INSERT INTO project (id, event_number, name, site_url, deleted)
            VALUES (${id}::uuid, ${event.project_event_number}, ${state.name}, ${state.siteUrl}, ${state.deleted})
            ON CONFLICT (id) DO UPDATE
              SET event_number = excluded.event_number, name = excluded.name, site_url = excluded.site_url, deleted = excluded.deleted
              WHERE project.event_number < excluded.event_number`;
          if (written === 0) continue;
          await tx.projectMember.deleteMany({ where: { projectId: id } });
          if (event.event !== 'project.saved') continue;
          await tx.projectMember.createMany({
            data: event.members.map((member) => ({ projectId: id, accountId: member.account_id, role: member.role })),
            skipDuplicates: true,
          });
        }
      });
    },

    async isMember(projectId, accountId) {
      const member = await database.projectMember.findUnique({
        where: { projectId_accountId: { projectId, accountId } },
        select: { projectId: true },
      });
      return member !== null;
    },
  };
}
