import { tooManyRequests } from '@blog-content/service-runtime';
import type { Request } from 'express';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle-store.ts';

export interface Guess<Account> {
  /** In lower case. */
  readonly email: string;
  readonly password: string;
  /** Null for an account that does not exist: answered in the same way and in the same time. */
  readonly find: () => Promise<Account | null>;
}

/**
 * The account whose password was given; null when it is not the right one. Counted against guessing, before the account
 * is looked up: a guess that may not be made costs little.
 *
 * @param request where the guess comes from.
 * @throws a 429 problem when the next one may not be made yet.
 */
export async function checkGuess<Account extends { readonly passwordHash: string }>(
  { throttle, passwords }: { throttle: Throttle; passwords: Pick<Passwords, 'check'> },
  { ip = '' }: Request,
  { email, password, find }: Guess<Account>,
): Promise<Account | null> {
  const attempt = await throttle.begin(email, ip);
  if ('waitMs' in attempt) {
    throw tooManyRequests('Too many failed attempts. Wait before you try again.', attempt.waitMs / 1_000);
  }
  let account: Account | null;
  let isRight: boolean;
  try {
    account = await find();
    isRight = await passwords.check(account?.passwordHash ?? null, password);
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  if (!isRight) return null;
  await attempt.succeeded();
  return account;
}
