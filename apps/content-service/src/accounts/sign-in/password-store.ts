import type { EmailQueue } from '../../email/email-queue-store.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { hashOfToken, newOneTimeToken } from '../../platform/one-time-token.ts';
import { PASSWORD_RESET_LIFE_MS } from '../account-limits.ts';
import { revokeSessions } from '../sessions/session-store.ts';

export interface PasswordChange {
  readonly accountId: string;
  /** The hash that the current password was checked against. */
  readonly checkedHash: string;
  readonly newHash: string;
  /** The only session that does not end. */
  readonly keptSessionId: string;
}

export type PasswordStore = ReturnType<typeof createPasswordStore>;

/** Changes and resets of passwords. Either one makes all reset tokens of the account worthless. */
export function createPasswordStore(
  database: Database,
  clock: () => Date,
  emails: Pick<EmailQueue, 'reset' | 'forgetResets'>,
) {
  const usable = (token: string) => ({ tokenHash: hashOfToken(token), expiresAt: { gt: clock() } });
  return {
    /** False when the password was changed since it was checked. */
    change: ({ accountId, checkedHash, newHash, keptSessionId }: PasswordChange): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const { count } = await tx.account.updateMany({
          where: { id: accountId, passwordHash: checkedHash },
          data: { passwordHash: newHash },
        });
        if (count === 0) return false;
        await revokeSessions(tx, accountId, clock(), keptSessionId);
        await forgetResets(tx, accountId);
        return true;
      }),

    /**
     * Makes a reset token, which replaces earlier ones of the account, and says whether an email with one of its own is
     * sent. Null when there is no such account.
     */
    createReset: (
      accountId: string,
    ): Promise<{ readonly token: string; readonly expiresAt: Date; readonly isEmailed: boolean } | null> =>
      database.$transaction(async (tx) => {
        const [held] = await tx.$queryRaw<{ email: string }[]>`
          SELECT email FROM account WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
        if (held === undefined) return null;
        await tx.passwordReset.deleteMany({ where: { accountId } });
        const { token, hash } = newOneTimeToken();
        const createdAt = clock();
        const expiresAt = new Date(createdAt.getTime() + PASSWORD_RESET_LIFE_MS);
        await tx.passwordReset.create({ data: { tokenHash: hash, accountId, createdAt, expiresAt } });
        return { token, expiresAt, isEmailed: await emails.reset(tx, held.email, expiresAt) };
      }),

    /** Whether the token could be used now. */
    canReset: async (token: string): Promise<boolean> =>
      (await database.passwordReset.count({ where: usable(token) })) > 0,

    /** Uses a token up: sets the password and ends all sessions. False when the token is unknown, used or expired. */
    reset: (token: string, newHash: string): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const found = await tx.passwordReset.findFirst({ where: usable(token), select: { accountId: true } });
        if (!found) return false;
        const { accountId } = found;
        // The account before its tokens, as everywhere: no deadlock.
        await tx.$queryRaw`SELECT id FROM account WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
        const { count } = await tx.passwordReset.deleteMany({ where: usable(token) });
        if (count === 0) return false;
        await tx.account.update({ where: { id: accountId }, data: { passwordHash: newHash } });
        await revokeSessions(tx, accountId, clock());
        await forgetResets(tx, accountId);
        return true;
      }),
  };

  /** Emails before tokens: one that is being written makes a token meanwhile. */
  async function forgetResets(tx: Transaction, accountId: string): Promise<void> {
    const { email } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
    await emails.forgetResets(tx, email);
    await tx.passwordReset.deleteMany({ where: { accountId } });
  }
}
