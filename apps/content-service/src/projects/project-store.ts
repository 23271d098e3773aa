import { randomUUID } from 'node:crypto';
import { memberRole, type MemberRole } from '@blog-content/payload-schemas';
import type { IfMatch, Member, Page } from '@blog-content/service-runtime';
import { Prisma, type Project } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { emitProjectChange, lockProjectAsOwner, emitProjectSaved, type ProjectActor } from './project-change-store.ts';
import { deleteProject, type ClearProject, type ProjectDeletion } from './project-deletion-store.ts';
import { MAX_PROJECTS } from './project-limits.ts';

export interface ProjectFields {
  readonly name: string;
  readonly siteUrl: string | null;
}

/** `eventNumber` grows with every change, of members too: it is the version for `If-Match`. */
export type ProjectRow = Pick<
  Project,
  'id' | 'position' | 'name' | 'siteUrl' | 'eventNumber' | 'createdAt' | 'suspended' | 'suspendedAt' | 'suspendedReason'
>;
export type ProjectOfMember = ProjectRow & { readonly role: MemberRole };

export type ProjectStore = ReturnType<typeof createProjectStore>;

/**
 * The projects, and who their members are. Every change is emitted on `blog.projects`. Deleted projects are never
 * returned.
 *
 * @param clear is called once a project is deleted.
 */
export function createProjectStore(database: Database | Transaction, clock: () => Date, clear: ClearProject) {
  return {
    /** Makes a project with the account as its owner. */
    create: (accountId: string, fields: ProjectFields): Promise<ProjectRow | 'too_many'> =>
      database.$transaction(async (tx) => {
        // One at a time, so that the limit holds.
        await tx.$queryRaw`SELECT id FROM account WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
        if ((await tx.projectMember.count({ where: { accountId } })) >= MAX_PROJECTS) return 'too_many';
        const project = await tx.project.create({
          data: {
            id: randomUUID(),
            eventNumber: 1,
            createdAt: clock(),
            ...fields,
            members: { create: { accountId, role: 'owner' } },
          },
        });
        await emitProjectSaved(tx, project, clock());
        return project;
      }),

    /** What is the same as before changes nothing. `changed`: `ifMatch` refused the project's version. */
    change: (
      owner: ProjectActor,
      fields: Partial<ProjectFields>,
      ifMatch: IfMatch,
    ): Promise<ProjectRow | 'not_found' | 'changed'> =>
      database.$transaction(async (tx) => {
        const { projectId } = owner;
        const project = await lockProjectAsOwner(tx, owner);
        if (!project) return 'not_found';
        if (!ifMatch(project.eventNumber)) return 'changed';
        const { name = project.name, siteUrl = project.siteUrl } = fields;
        if (name === project.name && siteUrl === project.siteUrl) return project;
        await tx.project.update({ where: { id: projectId }, data: { name, siteUrl } });
        return emitProjectChange(tx, projectId, clock());
      }),

    /**
     * Leaves a tombstone with neither name nor members, and tombstones of its blogs; refused while one is published.
     */
    delete: (owner: ProjectActor, ifMatch: IfMatch): Promise<ProjectDeletion> =>
      deleteProject(database, owner, ifMatch, clock, clear),

    find: (projectId: string): Promise<ProjectRow | null> =>
      database.project.findFirst({ where: { id: projectId, deletedAt: null } }),

    /** The account's projects in order of creation, one more than the page holds. */
    async list(accountId: string, { from, limit }: Page): Promise<ProjectOfMember[]> {
      const projects = await database.project.findMany({
        where: {
          deletedAt: null,
          members: { some: { accountId } },
          ...(from !== null && { position: { gt: BigInt(from) } }),
        },
        include: { members: { where: { accountId } } },
        orderBy: { position: 'asc' },
        take: limit + 1,
      });
      return projects.flatMap(({ members, ...project }) =>
        members.map(({ role }) => ({ ...project, role: memberRole.parse(role) })),
      );
    },

    /**
     * The account that the project's work counts for, one of its owners; of a project that has none, the project's own
     * id.
     */
    async ownerOf(projectId: string): Promise<string> {
      const [owner] = await database.$queryRaw<{ account: string }[]>`
        SELECT ${ownerAccountOf(Prisma.sql`${projectId}::uuid`)} AS account`;
      return owner?.account ?? projectId;
    },

    /** What the account is in the project; null when it is no member. */
    async memberOf(projectId: string, accountId: string): Promise<Member | null> {
      // One statement, where Prisma would look up the project by a second one: every request of an owner asks.
      const [member] = await database.$queryRaw<{ role: string; suspended: Member['suspended'] }[]>`
        SELECT member.role, project.suspended
        FROM project_member member JOIN project ON project.id = member.project_id AND project.deleted_at IS NULL
        WHERE member.project_id = ${projectId}::uuid AND member.account_id = ${accountId}::uuid`;
      return member === undefined ? null : { role: memberRole.parse(member.role), suspended: member.suspended };
    },
  };
}

/** The account that `ownerOf` names, of the project of that id. */
export const ownerAccountOf = (projectId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  coalesce((SELECT account_id FROM project_member owner
    WHERE owner.project_id = ${projectId} AND role = 'owner' ORDER BY account_id LIMIT 1), ${projectId})`;
