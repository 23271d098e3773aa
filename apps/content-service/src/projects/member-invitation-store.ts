import { randomUUID } from 'node:crypto';
import type { MemberRole } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { EmailQueue } from '../email/email-queue-store.ts';
import type { MemberInvitation, Prisma } from '../generated/prisma/client.ts';
import { INVITATION_LIFE_MS } from '../limits.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { addMember, findMember, isFull } from './member-store.ts';
import { lockProject, lockProjectAsOwner, type ProjectActor } from './project-change-store.ts';
import { MAX_MEMBERS } from './project-limits.ts';
import type { ProjectOfMember } from './project-store.ts';

export type { MemberInvitation };

/** An invitation as the person sees it who is invited. */
export type ReceivedInvitation = Prisma.MemberInvitationGetPayload<{
  include: { project: { select: { name: true } }; inviter: { select: { email: true } } };
}>;

/** Whose invitations are meant: those of the account's email. */
export interface InvitedAccount {
  readonly id: string;
  readonly email: string;
}

export type MemberInvitationStore = ReturnType<typeof createMemberInvitationStore>;

/**
 * Invitations to become a member of a project. They are sent to an email. Whether it has an account is not checked,
 * because only the administrator may know. The account of that email accepts or declines.
 */
export function createMemberInvitationStore(
  database: Database | Transaction,
  clock: () => Date,
  emails: Pick<EmailQueue, 'invite'>,
) {
  const open = () => ({ expiresAt: { gt: clock() } });
  const inOrder = ({ from, limit }: Page, where: Prisma.MemberInvitationWhereInput) => ({
    where: { ...where, ...open(), ...(from !== null && { position: { gt: BigInt(from) } }) },
    orderBy: { position: 'asc' as const },
    take: limit + 1,
  });
  return {
    /**
     * A new invitation of an email replaces the old one. @param email in lower case.
     *
     * @returns also whether an email is sent.
     */
    invite: (
      owner: ProjectActor,
      email: string,
      role: MemberRole,
    ): Promise<
      { readonly invitation: MemberInvitation; readonly isEmailed: boolean } | 'not_found' | 'is_member' | 'too_many'
    > =>
      database.$transaction(async (tx) => {
        const { projectId, id: invitedBy } = owner;
        // The account before the project, as where accounts are deleted.
        await tx.$queryRaw`SELECT id FROM account WHERE id = ${invitedBy}::uuid FOR KEY SHARE`;
        if (!(await lockProjectAsOwner(tx, owner))) return 'not_found';
        if ((await tx.projectMember.count({ where: { projectId, account: { email } } })) > 0) return 'is_member';
        const members = await tx.projectMember.count({ where: { projectId } });
        const invited = await tx.memberInvitation.count({ where: { projectId, email: { not: email }, ...open() } });
        if (members + invited >= MAX_MEMBERS) return 'too_many';
        await tx.memberInvitation.deleteMany({ where: { projectId, email } });
        const createdAt = clock();
        const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFE_MS);
        const data = { id: randomUUID(), projectId, email, role, invitedBy, createdAt, expiresAt };
        const invitation = await tx.memberInvitation.create({ data });
        const mail = { kind: 'member_invitation', id: data.id, invitedBy, recipient: email, expiresAt } as const;
        return { invitation, isEmailed: await emails.invite(tx, mail) };
      }),

    /** Open ones, in order of creation, one more than the page holds. */
    list: (projectId: string, page: Page): Promise<MemberInvitation[]> =>
      database.memberInvitation.findMany(inOrder(page, { projectId })),

    /** False when there is none. */
    withdraw: (owner: ProjectActor, id: string): Promise<boolean> =>
      database.$transaction(async (tx) => {
        if (!(await lockProjectAsOwner(tx, owner))) return false;
        const { count } = await tx.memberInvitation.deleteMany({
          where: { id, projectId: owner.projectId, ...open() },
        });
        return count === 1;
      }),

    /** The account's, in the same way. */
    listReceived: ({ email }: InvitedAccount, page: Page): Promise<ReceivedInvitation[]> =>
      database.memberInvitation.findMany({
        ...inOrder(page, { email }),
        include: { project: { select: { name: true } }, inviter: { select: { email: true } } },
      }),

    /** Makes the account a member; one that is a member by now keeps its role. */
    accept: ({ id: accountId, email }: InvitedAccount, id: string): Promise<ProjectOfMember | 'not_found' | 'full'> =>
      database.$transaction(async (tx) => {
        const mine = { id, email, ...open() };
        const found = await tx.memberInvitation.findFirst({ where: mine });
        if (!found) return 'not_found';
        const { projectId } = found;
        // The account before the project, as where accounts are deleted. The lock keeps it from being deleted.
        const held = await tx.$queryRaw<
          { id: string }[]
        >`SELECT id FROM account WHERE id = ${accountId}::uuid FOR KEY SHARE`;
        const project = held.length > 0 && (await lockProject(tx, projectId));
        // Again, now that the lock keeps it from being withdrawn.
        if (!project || !(await tx.memberInvitation.findFirst({ where: mine }))) return 'not_found';
        const member = await findMember(tx, projectId, accountId);
        if (member) {
          await tx.memberInvitation.delete({ where: { id } });
          return { ...project, role: member.role };
        }
        if (await isFull(tx, projectId)) return 'full';
        const role = found.role === 'owner' ? 'owner' : 'editor';
        const joined = await addMember(tx, projectId, { id: accountId, email }, role, clock());
        return { ...joined, role };
      }),

    /** False when there is none. */
    async decline({ email }: InvitedAccount, id: string): Promise<boolean> {
      const { count } = await database.memberInvitation.deleteMany({ where: { id, email, ...open() } });
      return count === 1;
    },
  };
}
