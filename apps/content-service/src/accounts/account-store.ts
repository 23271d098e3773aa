import { randomUUID } from 'node:crypto';
import type { Page } from '@blog-content/service-runtime';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import { emitProjectChange, lockProject } from '../projects/project-change-store.ts';
import { revokeSessions } from './sessions/session-store.ts';

export interface AccountWithPassword {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
  /** Hash of the password that the environment gave last; null for accounts that it never named. */
  readonly environmentPasswordHash: string | null;
}

/** An account as the administrator sees it. */
export interface ListedAccount {
  readonly id: string;
  /** Its position in the list: when it was created, then its id. */
  readonly position: string;
  readonly email: string;
  readonly isAdministrator: boolean;
  readonly createdAt: Date;
}

export type AccountRemoval =
  | { readonly removed: true }
  | { readonly refused: 'not_found' | 'administrator' }
  | { readonly refused: 'only_owner'; readonly projects: number };

/** The form of {@link ListedAccount.position}. */
export const ACCOUNT_POSITION = /^\d{1,14}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Enough for an account that is a member of very many projects: each emits an event. */
const REMOVAL_TIMEOUT_MS = 120_000;

const withPassword = { id: true, email: true, passwordHash: true, environmentPasswordHash: true } as const;

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Who signs in. */
export function createAccountStore(database: Database, clock: () => Date) {
  return {
    /** @param email in lower case. */
    findByEmail: (email: string): Promise<AccountWithPassword | null> =>
      database.account.findUnique({ where: { email }, select: withPassword }),

    find: (accountId: string): Promise<AccountWithPassword | null> =>
      database.account.findUnique({ where: { id: accountId }, select: withPassword }),

    /** In order of creation, one more than the page holds. */
    async list({ from, limit }: Page): Promise<ListedAccount[]> {
      const accounts = await database.account.findMany({
        ...(from !== null && { where: after(from) }),
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        take: limit + 1,
      });
      return accounts.map(({ id, email, isAdministrator, createdAt }) => ({
        id,
        email,
        isAdministrator,
        createdAt,
        position: `${createdAt.getTime()}_${id}`,
      }));
    },

    /** Deletes an account and its memberships, and emits the change of each project. Its sessions end immediately. */
    remove: (accountId: string): Promise<AccountRemoval> =>
      database.$transaction((tx) => remove(tx, accountId, clock()), { timeout: REMOVAL_TIMEOUT_MS }),

    /**
     * Makes the account of `email` the administrator, and no other, and the account itself where there is none.
     * @param passwordHash of the password that the environment gives now, which becomes the account's and ends its
     * sessions; null when it was given before.
     */
    setAdministrator: (email: string, passwordHash: string | null): Promise<void> =>
      database.$transaction(async (tx) => {
        const now = clock();
        const former = await tx.account.updateManyAndReturn({
          where: { isAdministrator: true, email: { not: email } },
          data: { isAdministrator: false },
          select: { id: true },
        });
        // Their tokens say that they are the administrator.
        for (const { id } of former) await revokeSessions(tx, id, now);
        if (passwordHash === null) {
          await tx.$executeRaw`
            UPDATE account SET is_administrator = true,
              environment_password_hash = coalesce(environment_password_hash, password_hash)
            WHERE email = ${email}`;
          return;
        }
        const [account] = await tx.$queryRaw<{ id: string }[]>`
          INSERT INTO account (id, email, password_hash, environment_password_hash, is_administrator, created_at)
          VALUES (${randomUUID()}::uuid, ${email}, ${passwordHash}, ${passwordHash}, true, ${now})
          ON CONFLICT (email) DO UPDATE SET is_administrator = true, password_hash = excluded.password_hash,
            environment_password_hash = excluded.environment_password_hash
          RETURNING id`;
        if (!account) throw new Error('The administrator account was not created.');
        await revokeSessions(tx, account.id, now);
        await tx.passwordReset.deleteMany({ where: { accountId: account.id } });
      }),
  };
}

async function remove(tx: Transaction, accountId: string, now: Date): Promise<AccountRemoval> {
  // The lock keeps it from becoming a member of other projects meanwhile.
  const [account] = await tx.$queryRaw<{ is_administrator: boolean }[]>`
    SELECT is_administrator FROM account WHERE id = ${accountId}::uuid FOR UPDATE`;
  if (!account) return { refused: 'not_found' };
  if (account.is_administrator) return { refused: 'administrator' };
  const memberships = await tx.projectMember.findMany({
    where: { accountId },
    select: { projectId: true },
    orderBy: { projectId: 'asc' },
  });
  const projectIds = memberships.map(({ projectId }) => projectId);
  for (const projectId of projectIds) await lockProject(tx, projectId);
  const [{ projects } = { projects: 0 }] = await tx.$queryRaw<{ projects: number }[]>`
    SELECT count(*)::int AS projects FROM project_member mine
    WHERE mine.account_id = ${accountId}::uuid AND mine.role = 'owner' AND NOT EXISTS (
      SELECT FROM project_member other
      WHERE other.project_id = mine.project_id AND other.role = 'owner' AND other.account_id <> mine.account_id)`;
  if (projects > 0) return { refused: 'only_owner', projects };
  // It may have been removed from some meanwhile; that was emitted then.
  const left = await tx.projectMember.findMany({ where: { accountId }, select: { projectId: true } });
  await tx.projectMember.deleteMany({ where: { accountId } });
  for (const { projectId } of left) await emitProjectChange(tx, projectId, now);
  await revokeSessions(tx, accountId, now);
  await tx.quota.deleteMany({ where: { subjectId: accountId } });
  await tx.account.delete({ where: { id: accountId } });
  return { removed: true };
}

function after(position: string) {
  const [createdAtMs, id = ''] = position.split('_');
  const createdAt = new Date(Number(createdAtMs));
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] };
}
