import type { AccountStore } from './account-store.ts';
import type { Passwords } from './sign-in/passwords.ts';

/**
 * Makes the account that the environment names the administrator, at start. Its password is set when the account is
 * new, and when the environment gives another one than it gave last: one that its person has changed survives restarts.
 *
 * @param email in any case.
 */
export async function bootstrapAdministrator(
  { accounts, passwords }: { accounts: Pick<AccountStore, 'findByEmail' | 'setAdministrator'>; passwords: Passwords },
  email: string,
  password: string,
): Promise<void> {
  const lowerCase = email.toLowerCase();
  const account = await accounts.findByEmail(lowerCase);
  const given = account && (account.environmentPasswordHash ?? account.passwordHash);
  const isNew = given === null || !(await passwords.check(given, password));
  await accounts.setAdministrator(lowerCase, isNew ? await passwords.hash(password) : null);
}
