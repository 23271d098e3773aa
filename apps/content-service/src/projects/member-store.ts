import { memberRole, type MemberRole } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { Database, Transaction } from '../open-database.ts';
import { announceProject, lockProject, lockProjectAsOwner, type ProjectActor } from './project-change-store.ts';
import { MAX_MEMBERS } from './project-limits.ts';

export interface Member {
  readonly accountId: string;
  readonly email: string;
  readonly role: MemberRole;
}

/** Who the members of a project are. Every change holds the project's row and goes out on `blog.projects`. */
export interface MemberStore {
  /** By account, one more than the page holds; `position` is the account's id. */
  list(projectId: string, page: Page): Promise<(Member & { readonly position: string })[]>;
  /** @param email in lower case. */
  add(
    owner: ProjectActor,
    email: string,
    role: MemberRole,
  ): Promise<Member | 'not_found' | 'no_account' | 'is_member' | 'too_many'>;
  changeRole(owner: ProjectActor, accountId: string, role: MemberRole): Promise<Member | 'not_found' | 'only_owner'>;
  /** Owners remove anybody, and every member may leave. */
  remove(actor: ProjectActor, accountId: string): Promise<'removed' | 'not_found' | 'only_owner'>;
}

export function createMemberStore(database: Database, clock: () => Date): MemberStore {
  return {
    async list(projectId, { from, limit }) {
      const members = await database.projectMember.findMany({
        where: { projectId, ...(from !== null && { accountId: { gt: from } }) },
        include: { account: { select: { email: true } } },
        orderBy: { accountId: 'asc' },
        take: limit + 1,
      });
      return members.map((member) => ({ ...show(member), position: member.accountId }));
    },

    add: (owner, email, role) =>
      database.$transaction(async (tx) => {
        // The account before the project, as where accounts are deleted; held, so that it is still there at the end.
        const [account] = await tx.$queryRaw<{ id: string; email: string }[]>`
          SELECT id, email FROM account WHERE email = ${email} FOR KEY SHARE`;
        if (!(await lockProjectAsOwner(tx, owner))) return 'not_found';
        const { projectId } = owner;
        if (!account) return 'no_account';
        if (await findMember(tx, projectId, account.id)) return 'is_member';
        if (await isFull(tx, projectId)) return 'too_many';
        await addMember(tx, projectId, account.id, role, clock());
        return { accountId: account.id, email: account.email, role };
      }),

    changeRole: (owner, accountId, role) =>
      database.$transaction(async (tx) => {
        const { projectId } = owner;
        const member = (await lockProjectAsOwner(tx, owner)) && (await findMember(tx, projectId, accountId));
        if (!member) return 'not_found';
        if (member.role === role) return member;
        if (role !== 'owner' && (await isOnlyOwner(tx, projectId, member))) return 'only_owner';
        await tx.projectMember.update({ where: { projectId_accountId: { projectId, accountId } }, data: { role } });
        await announceProject(tx, projectId, clock());
        return { ...member, role };
      }),

    remove: (actor, accountId) =>
      database.$transaction(async (tx) => {
        const { projectId } = actor;
        const isSelf = actor.id === accountId;
        const project = isSelf ? await lockProject(tx, projectId) : await lockProjectAsOwner(tx, actor);
        const member = project && (await findMember(tx, projectId, accountId));
        if (!member) return 'not_found';
        if (await isOnlyOwner(tx, projectId, member)) return 'only_owner';
        await tx.projectMember.delete({ where: { projectId_accountId: { projectId, accountId } } });
        await announceProject(tx, projectId, clock());
        return 'removed';
      }),
  };
}

/** Adds a member to a locked project that is not full, and tells of it. */
export async function addMember(
  tx: Transaction,
  projectId: string,
  accountId: string,
  role: MemberRole,
  now: Date,
): Promise<void> {
  await tx.projectMember.create({ data: { projectId, accountId, role } });
  await announceProject(tx, projectId, now);
}

/** Whether a locked project can have no more members. */
export async function isFull(tx: Transaction, projectId: string): Promise<boolean> {
  return (await tx.projectMember.count({ where: { projectId } })) >= MAX_MEMBERS;
}

async function isOnlyOwner(tx: Transaction, projectId: string, { accountId, role }: Member): Promise<boolean> {
  if (role !== 'owner') return false;
  return (await tx.projectMember.count({ where: { projectId, role: 'owner', accountId: { not: accountId } } })) === 0;
}

async function findMember(tx: Transaction, projectId: string, accountId: string): Promise<Member | null> {
  const member = await tx.projectMember.findUnique({
    where: { projectId_accountId: { projectId, accountId } },
    include: { account: { select: { email: true } } },
  });
  return member && show(member);
}

function show({ accountId, role, account }: { accountId: string; role: string; account: { email: string } }): Member {
  return { accountId, email: account.email, role: memberRole.parse(role) };
}
