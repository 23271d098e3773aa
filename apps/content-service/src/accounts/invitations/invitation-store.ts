import { randomUUID } from 'node:crypto';
import type { MemberRole } from '@blog-content/payload-schemas';
import type { Page } from '@blog-content/service-runtime';
import type { Invitation } from '../../generated/prisma/client.ts';
import { INVITATION_LIFE_MS } from '../../limits.ts';
import type { EmailQueue } from '../../email/email-queue-store.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { hashOfToken, newOneTimeToken } from '../../platform/one-time-token.ts';
import { addMember, isFull } from '../../projects/member-store.ts';
import { lockProject } from '../../projects/project-change-store.ts';
import { MAX_INVITATIONS } from '../account-limits.ts';
import { beginSession, type SessionGrant } from '../sessions/session-store.ts';

export type { Invitation };

export interface InvitationRequest {
  /** The administrator who invites. */
  readonly invitedBy: string;
  /** In lower case. */
  readonly email: string;
  /** What the account is to begin with: a project that the administrator is an owner of. */
  readonly membership: { readonly projectId: string; readonly role: MemberRole } | null;
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;

/** Accounts that somebody may make for themselves. */
export function createInvitationStore(
  database: Database | Transaction,
  clock: () => Date,
  emails: Pick<EmailQueue, 'invite'>,
) {
  const acceptable = (token: string) => ({
    tokens: { some: { tokenHash: hashOfToken(token) } },
    expiresAt: { gt: clock() },
  });
  return {
    /**
     * A new invitation of an email replaces the old one. @returns the token in clear, this once, and whether an email
     * with one of its own is sent.
     */
    create: ({
      invitedBy,
      email,
      membership,
    }: InvitationRequest): Promise<
      { invitation: Invitation; token: string; isEmailed: boolean } | 'no_project' | 'has_account' | 'too_many'
    > =>
      database.$transaction(async (tx) => {
        // One at a time, so that the limit holds.
        await tx.$queryRaw`SELECT id FROM account WHERE id = ${invitedBy}::uuid FOR NO KEY UPDATE`;
        if (membership) {
          if (!(await lockProject(tx, membership.projectId))) return 'no_project';
          const mine = { projectId: membership.projectId, accountId: invitedBy, role: 'owner' };
          if ((await tx.projectMember.count({ where: mine })) === 0) return 'no_project';
        }
        const createdAt = clock();
        const others = { email: { not: email }, expiresAt: { gt: createdAt } };
        if ((await tx.invitation.count({ where: others })) >= MAX_INVITATIONS) return 'too_many';
        // Waits for a transaction that is accepting the old one.
        await tx.invitation.deleteMany({ where: { email } });
        if ((await tx.account.count({ where: { email } })) > 0) return 'has_account';
        const { token, hash } = newOneTimeToken();
        const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFE_MS);
        const invitation = await tx.invitation.create({
          data: {
            id: randomUUID(),
            email,
            ...membership,
            invitedBy,
            createdAt,
            expiresAt,
            tokens: { create: { tokenHash: hash } },
          },
        });
        const { id } = invitation;
        const mail = { kind: 'account_invitation', id, invitedBy, recipient: email, expiresAt } as const;
        return { invitation, token, isEmailed: await emails.invite(tx, mail) };
      }),

    /** Open ones, in order of creation, one more than the page holds. */
    list: ({ from, limit }: Page): Promise<Invitation[]> =>
      database.invitation.findMany({
        where: { expiresAt: { gt: clock() }, ...(from !== null && { position: { gt: BigInt(from) } }) },
        orderBy: { position: 'asc' },
        take: limit + 1,
      }),

    /** False when there is none. */
    async remove(id: string): Promise<boolean> {
      const { count } = await database.invitation.deleteMany({ where: { id, expiresAt: { gt: clock() } } });
      return count === 1;
    },

    /** Whether the token could be used now. */
    canAccept: async (token: string): Promise<boolean> =>
      (await database.invitation.count({ where: acceptable(token) })) > 0,

    /**
     * Uses the invitation up: makes the account, a member of the project where there is one, and begins its first
     * session.
     */
    accept: (
      token: string,
      passwordHash: string,
      userAgent: string | null,
    ): Promise<SessionGrant | 'unknown' | 'has_account' | 'project_full'> =>
      database.$transaction(async (tx) => {
        const found = await tx.invitation.findFirst({ where: acceptable(token) });
        if (!found) return 'unknown';
        const { email, projectId, role } = found;
        // The project before its invitations, as where projects are deleted: no deadlock.
        if (projectId !== null && !(await lockProject(tx, projectId))) return 'unknown';
        const held = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM invitation WHERE id = ${found.id}::uuid FOR UPDATE`;
        if (held.length === 0) return 'unknown';
        if (projectId !== null && (await isFull(tx, projectId))) return 'project_full';
        const now = clock();
        const account = { id: randomUUID(), email, isAdministrator: false };
        const made = await tx.$executeRaw`
          INSERT INTO account (id, email, password_hash, created_at)
          VALUES (${account.id}::uuid, ${email}, ${passwordHash}, ${now}) ON CONFLICT (email) DO NOTHING`;
        if (made === 0) return 'has_account';
        await tx.invitation.delete({ where: { id: found.id } });
        if (projectId !== null && role !== null) await addMember(tx, projectId, account, role as MemberRole, now);
        return beginSession(tx, account, userAgent, now);
      }),
  };
}
