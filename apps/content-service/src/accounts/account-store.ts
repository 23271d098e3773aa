import { randomUUID } from 'node:crypto';
import type { Database } from '../open-database.ts';

export interface AccountWithPassword {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string;
}

export interface AccountStore {
  /** @param email in lower case. */
  findByEmail(email: string): Promise<AccountWithPassword | null>;
  /** Makes the account, or gives the one of that email a new password hash. */
  save(email: string, passwordHash: string): Promise<void>;
}

export function createAccountStore(database: Database): AccountStore {
  return {
    findByEmail: (email) =>
      database.account.findUnique({ where: { email }, select: { id: true, email: true, passwordHash: true } }),
    async save(email, passwordHash) {
      await database.account.upsert({
        where: { email },
        create: { id: randomUUID(), email, passwordHash },
        update: { passwordHash },
      });
    },
  };
}
