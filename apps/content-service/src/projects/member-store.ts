import { memberRole, type MemberRole } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { Project } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { emitProjectChange, lockProject, lockProjectAsOwner, type ProjectActor } from './project-change-store.ts';
import { MAX_MEMBERS } from './project-limits.ts';

export interface Member {
  readonly accountId: string;
  readonly email: string;
  readonly role: MemberRole;
}

export type MemberStore = ReturnType<typeof createMemberStore>;

/** Who the members of a project are. Every change locks the project's row and is emitted on `blog.projects`. */
export function createMemberStore(database: Database, clock: () => Date) {
  return {
    /** By account, one more than the page holds; `position` is the account's id. */
    async list(projectId: string, { from, limit }: Page): Promise<(Member & { readonly position: string })[]> {
      const members = await database.projectMember.findMany({
        where: { projectId, ...(from !== null && { accountId: { gt: from } }) },
        include: { account: { select: { email: true } } },
        orderBy: { accountId: 'asc' },
        take: limit + 1,
      });
      return members.map((member) => ({ ...show(member), position: member.accountId }));
    },

    changeRole: (
      owner: ProjectActor,
      accountId: string,
      role: MemberRole,
    ): Promise<Member | 'not_found' | 'only_owner'> =>
      database.$transaction(async (tx) => {
        const { projectId } = owner;
        const member = (await lockProjectAsOwner(tx, owner)) && (await findMember(tx, projectId, accountId));
        if (!member) return 'not_found';
        if (member.role === role) return member;
        if (role !== 'owner' && (await isOnlyOwner(tx, projectId, member))) return 'only_owner';
        await tx.projectMember.update({ where: { projectId_accountId: { projectId, accountId } }, data: { role } });
        if (role !== 'owner') await withdrawInvitationsBy(tx, projectId, accountId);
        await emitProjectChange(tx, projectId, clock());
        return { ...member, role };
      }),

    /** Owners remove anybody, and every member may leave. */
    remove: (actor: ProjectActor, accountId: string): Promise<'removed' | 'not_found' | 'only_owner'> =>
      database.$transaction(async (tx) => {
        const { projectId } = actor;
        const isSelf = actor.id === accountId;
        const project = isSelf ? await lockProject(tx, projectId) : await lockProjectAsOwner(tx, actor);
        const member = project && (await findMember(tx, projectId, accountId));
        if (!member) return 'not_found';
        if (await isOnlyOwner(tx, projectId, member)) return 'only_owner';
        await tx.projectMember.delete({ where: { projectId_accountId: { projectId, accountId } } });
        // What they wrote stays theirs in name.
        await tx.author.updateMany({ where: { projectId, accountId }, data: { accountId: null } });
        await withdrawInvitationsBy(tx, projectId, accountId);
        await emitProjectChange(tx, projectId, clock());
        return 'removed';
      }),
  };
}

/** Adds a member to a locked project that is not full, emits it, and deletes their invitation. */
export async function addMember(
  tx: Transaction,
  projectId: string,
  account: { readonly id: string; readonly email: string },
  role: MemberRole,
  now: Date,
): Promise<Project> {
  await tx.projectMember.create({ data: { projectId, accountId: account.id, role } });
  await tx.memberInvitation.deleteMany({ where: { projectId, email: account.email } });
  return emitProjectChange(tx, projectId, now);
}

/** Invitations by somebody who is no owner any more are void, an administrator's that make an account too. */
async function withdrawInvitationsBy(tx: Transaction, projectId: string, invitedBy: string): Promise<void> {
  await tx.memberInvitation.deleteMany({ where: { projectId, invitedBy } });
  await tx.invitation.deleteMany({ where: { projectId, invitedBy } });
}

/** Whether a locked project can have no more members. */
export async function isFull(tx: Transaction, projectId: string): Promise<boolean> {
  return (await tx.projectMember.count({ where: { projectId } })) >= MAX_MEMBERS;
}

async function isOnlyOwner(tx: Transaction, projectId: string, { accountId, role }: Member): Promise<boolean> {
  if (role !== 'owner') return false;
  return (await tx.projectMember.count({ where: { projectId, role: 'owner', accountId: { not: accountId } } })) === 0;
}

/** A member of a project; null for everybody else. */
export async function findMember(tx: Transaction, projectId: string, accountId: string): Promise<Member | null> {
  const member = await tx.projectMember.findUnique({
    where: { projectId_accountId: { projectId, accountId } },
    include: { account: { select: { email: true } } },
  });
  return member && show(member);
}

function show({ accountId, role, account }: { accountId: string; role: string; account: { email: string } }): Member {
  return { accountId, email: account.email, role: memberRole.parse(role) };
}
