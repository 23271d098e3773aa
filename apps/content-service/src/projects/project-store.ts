import { randomUUID } from 'node:crypto';
import { memberRole, projectsTopic } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { Project } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../open-database.ts';
import { emit } from '../outbox-store.ts';

export interface ProjectFields {
  readonly name: string;
  readonly siteUrl: string | null;
}

export type ProjectRow = Pick<Project, 'id' | 'position' | 'name' | 'siteUrl' | 'createdAt'>;

/** The projects, and who their members are. Every change goes out on `blog.projects`. */
export interface ProjectStore {
  /** Makes a project with the account as its owner. */
  create(accountId: string, fields: ProjectFields): Promise<ProjectRow>;
  /** Null when there is none or it was deleted. */
  change(projectId: string, fields: Partial<ProjectFields>): Promise<ProjectRow | null>;
  find(projectId: string): Promise<ProjectRow | null>;
  /** The account's projects in order of creation, one more than the page holds. */
  list(accountId: string, page: Page): Promise<ProjectRow[]>;
  isMember(projectId: string, accountId: string): Promise<boolean>;
}

export function createProjectStore(database: Database, clock: () => Date): ProjectStore {
  return {
    create: (accountId, fields) =>
      database.$transaction(async (tx) => {
        const project = await tx.project.create({
          data: {
            id: randomUUID(),
            eventNumber: 1,
            ...fields,
            members: { create: { accountId, role: 'owner' } },
          },
        });
        await announce(tx, project, clock());
        return project;
      }),

    change: (projectId, fields) =>
      database.$transaction(async (tx) => {
        const updated = await tx.project.updateManyAndReturn({
          where: { id: projectId },
          data: { ...fields, eventNumber: { increment: 1 } },
        });
        const project = updated[0];
        if (!project) return null;
        await announce(tx, project, clock());
        return project;
      }),

    find: (projectId) => database.project.findUnique({ where: { id: projectId } }),

    list: (accountId, { from, limit }) =>
      database.project.findMany({
        where: { members: { some: { accountId } }, ...(from !== null && { position: { gt: BigInt(from) } }) },
        orderBy: { position: 'asc' },
        take: limit + 1,
      }),

    async isMember(projectId, accountId) {
      const member = await database.projectMember.findUnique({
        where: { projectId_accountId: { projectId, accountId } },
        select: { projectId: true },
      });
      return member !== null;
    },
  };
}

async function announce(tx: Transaction, project: Project, now: Date): Promise<void> {
  const members = await tx.projectMember.findMany({ where: { projectId: project.id } });
  await emit(
    tx,
    projectsTopic,
    {
      event: 'project.saved',
      project_id: project.id,
      project_event_number: project.eventNumber,
      name: project.name,
      site_url: project.siteUrl,
      members: members.map(({ accountId, role }) => ({ account_id: accountId, role: memberRole.parse(role) })),
    },
    now,
  );
}
