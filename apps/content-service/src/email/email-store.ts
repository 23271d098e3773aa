import { Prisma } from '../generated/prisma/client.ts';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import type { DueQuery } from '../platform/workload/due-watch-store.ts';
import { newOneTimeToken } from '../platform/one-time-token.ts';
import { emailAbout, type EmailFacts, type EmailKind } from './email-kinds.ts';

/** An email that is to be sent now. */
export interface ClaimedEmail {
  readonly id: string;
  readonly kind: EmailKind;
  /** In lower case. */
  readonly recipient: string;
  readonly about: unknown;
  readonly expiresAt: Date;
  /** How often sending was begun, this time included. */
  readonly tries: number;
}

export const dueEmails: DueQuery = () => Prisma.sql`SELECT FROM email WHERE due_at <= clock_timestamp()`;

/** What is to be sent, and who sends it. */
export function createEmailStore(database: Database, clock: () => Date) {
  return {
    /**
     * Takes the next due one under a lease, and counts the try before it is made; null when none is due. Notices come
     * after those that somebody waits for: an account with many projects may cause any number of them together.
     */
    async claim(leaseMs: number): Promise<ClaimedEmail | null> {
      const [claimed] = await database.$queryRaw<ClaimedEmail[]>`
        UPDATE email SET tries = tries + 1, due_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
        WHERE id = (
          SELECT id FROM email WHERE due_at <= clock_timestamp()
          ORDER BY kind IN ('receiver_failing', 'autopilot_stopped'), due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, kind, recipient, about, expires_at AS "expiresAt", tries`;
      return claimed ?? null;
    },

    /**
     * What the email says, with a new token where it has one, which is usable from now on. Null when there is nothing
     * to say any more: nobody has the address, the invitation is gone, or somebody else has the email.
     */
    prepare: (email: ClaimedEmail): Promise<EmailFacts | null> =>
      database.$transaction(async (tx) => {
        // Whoever changes a password deletes this row before the tokens: they see the one that is made here.
        const held = await tx.$queryRaw<object[]>`
          SELECT FROM email WHERE id = ${email.id}::uuid AND tries = ${email.tries} FOR UPDATE`;
        return held.length === 0 ? null : prepare(tx, email, clock());
      }),

    /** It was sent, or never will be. */
    async remove({ id, tries }: ClaimedEmail): Promise<void> {
      await database.email.deleteMany({ where: { id, tries } });
    },

    /** It is to be tried again after that time. */
    async postpone({ id, tries }: ClaimedEmail, delayMs: number): Promise<void> {
      await database.$executeRaw`
        UPDATE email SET due_at = clock_timestamp() + ${delayMs} * interval '1 millisecond'
        WHERE id = ${id}::uuid AND tries = ${tries}`;
    },
  };
}
export type EmailStore = ReturnType<typeof createEmailStore>;

async function prepare(tx: Transaction, email: ClaimedEmail, now: Date): Promise<EmailFacts | null> {
  const { kind, recipient, expiresAt } = email;
  const about = emailAbout.parse({ kind, ...(email.about as object) });
  switch (about.kind) {
    case 'account_invitation': {
      // Waits for a transaction that accepts it now.
      const held = await tx.$queryRaw<object[]>`
        SELECT FROM invitation WHERE id = ${about.invitation_id}::uuid AND expires_at > ${now} FOR KEY SHARE`;
      if (held.length === 0) return null;
      const { project, expiresAt: endsAt } = await tx.invitation.findUniqueOrThrow({
        where: { id: about.invitation_id },
        include: { project: { select: { name: true } } },
      });
      const inviter = await tx.account.findUnique({ where: { id: about.invited_by }, select: { email: true } });
      const { token, hash } = newOneTimeToken();
      await tx.invitationToken.create({ data: { tokenHash: hash, invitationId: about.invitation_id } });
      return { kind: about.kind, token, invitedBy: inviter?.email ?? null, project: project?.name ?? null, endsAt };
    }
    case 'member_invitation': {
      const invitation = await tx.memberInvitation.findFirst({
        where: { id: about.invitation_id, expiresAt: { gt: now } },
        include: { project: { select: { name: true } }, inviter: { select: { email: true } } },
      });
      if (!invitation) return null;
      const { project, inviter, role, expiresAt: endsAt } = invitation;
      return { kind: about.kind, invitedBy: inviter.email, project: project.name, role, endsAt };
    }
    case 'password_reset': {
      const account = await tx.account.findUnique({ where: { email: recipient }, select: { id: true } });
      if (!account) return null;
      const { token, hash } = newOneTimeToken();
      await tx.passwordReset.create({ data: { tokenHash: hash, accountId: account.id, createdAt: now, expiresAt } });
      return { kind: about.kind, token, endsAt: expiresAt };
    }
    case 'receiver_failing':
    case 'autopilot_stopped': {
      const { project_id: projectId } = about;
      const owner = await tx.projectMember.findFirst({
        where: { projectId, role: 'owner', account: { email: recipient }, project: { deletedAt: null } },
        select: { project: { select: { name: true } } },
      });
      if (!owner || (about.kind === 'autopilot_stopped' && !(await stillStands(tx, projectId, about.reason))))
        return null;
      return { ...about, project: owner.project.name };
    }
  }
}

/** Whether the autopilot still makes no posts for that reason. */
async function stillStands(tx: Transaction, projectId: string, reason: string): Promise<boolean> {
  return (await tx.autopilot.count({ where: { projectId, reason, enabled: true } })) > 0;
}
