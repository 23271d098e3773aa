import type { ProjectEvent } from '@blog-content/payload-schemas';
import type { Member } from '@blog-content/service-runtime';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';
import { retireIntegrations } from '../integrations/retire-integrations-store.ts';
import { notifyDue } from '../queue/queue-transaction-store.ts';

export type ProjectStore = ReturnType<typeof createProjectStore>;

/** The projects as far as this service needs them: who may manage their receivers. */
export function createProjectStore(database: Database) {
  return {
    /**
     * Applies events in order, in one transaction; an event not newer than what is stored changes nothing. A deleted
     * project loses its members and its integrations with their secrets in it; what waited for them ends as failed
     * after it, bit by bit: other projects' events do not wait for that.
     */
    async apply(events: readonly ProjectEvent[]): Promise<void> {
      await database.$transaction(async (tx) => {
        const deleted: string[] = [];
        for (const event of events) {
          const wasNews = await applyOne(tx, event);
          if (wasNews && event.event === 'project.deleted') deleted.push(event.project_id);
        }
        if (deleted.length > 0) await retireIntegrations(tx, { projectIds: deleted });
        // What a suspension held may go now.
        if (events.some((event) => event.event === 'project.saved' && event.suspended === null)) await notifyDue(tx);
      });
    },

    /** What the account is in the project; null when it is no member, or the project is deleted or not known. */
    async memberOf(projectId: string, accountId: string): Promise<Member | null> {
      const where = { projectId, accountId, project: { deleted: false } };
      const select = { role: true, project: { select: { suspended: true } } } as const;
      const member = await database.projectMember.findFirst({ where, select });
      if (member === null) return null;
      return {
        // A role of later days, not known here, must not grant what this version guards.
        role: member.role === 'owner' ? 'owner' : 'editor',
        suspended: member.project.suspended as Member['suspended'],
      };
    },
  };
}

/** Resolves to whether the event was newer than what was stored. */
async function applyOne(tx: Prisma.TransactionClient, event: ProjectEvent): Promise<boolean> {
  const id = event.project_id;
  const state =
    event.event === 'project.saved'
      ? {
          name: event.name,
          siteUrl: event.site_url,
          deleted: false,
          owners: ownersOf(event),
          suspended: event.suspended,
          authors: event.authors?.map((author) => ({
            name: author.name,
            slugs: [author.slug, ...author.former_slugs],
            email: author.email,
          })),
        }
      : { name: '', siteUrl: null, deleted: true, owners: [], suspended: null, authors: [] };
  const written = await tx.$executeRaw`
    INSERT INTO project (id, event_number, name, site_url, deleted, account_id, suspended, authors)
    VALUES (${id}::uuid, ${event.project_event_number}, ${state.name}, ${state.siteUrl}, ${state.deleted},
      (${state.owners}::uuid[])[1], ${state.suspended ?? null}, ${JSON.stringify(state.authors ?? [])}::jsonb)
    ON CONFLICT (id) DO UPDATE
      SET event_number = excluded.event_number, name = excluded.name, site_url = excluded.site_url,
        deleted = excluded.deleted,
        -- Nobody makes their project another owner's by inviting one.
        account_id = CASE WHEN project.account_id = ANY (${state.owners}::uuid[]) THEN project.account_id
          ELSE excluded.account_id END,
        -- An older release says nothing of it.
        suspended = CASE WHEN ${state.suspended === undefined} THEN project.suspended ELSE excluded.suspended END,
        authors = CASE WHEN ${state.authors === undefined} THEN project.authors ELSE excluded.authors END
      WHERE project.event_number < excluded.event_number`;
  if (written === 0) return false;
  await tx.projectMember.deleteMany({ where: { projectId: id } });
  if (event.event === 'project.saved') {
    await tx.projectMember.createMany({
      data: event.members.map((member) => ({ projectId: id, accountId: member.account_id, role: member.role })),
      skipDuplicates: true,
    });
  }
  return true;
}

function ownersOf(event: Extract<ProjectEvent, { event: 'project.saved' }>): string[] {
  return event.members.filter(({ role }) => role === 'owner').map((member) => member.account_id);
}
