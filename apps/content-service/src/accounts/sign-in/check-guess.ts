import { tooManyRequests } from '@blog-content/service-runtime';
import type { Request } from 'express';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle-store.ts';

export interface Guess {
  /** In lower case. */
  readonly email: string;
  readonly password: string;
  /** Null for an account that does not exist: answered in the same way and in the same time. */
  readonly passwordHash: string | null;
}

/**
 * Whether a password is right, counted against guessing.
 *
 * @param request where the guess comes from.
 * @throws a 429 problem when the next one may not be made yet.
 */
export async function checkGuess(
  { throttle, passwords }: { throttle: Throttle; passwords: Pick<Passwords, 'check'> },
  request: Request,
  { email, password, passwordHash }: Guess,
): Promise<boolean> {
  const attempt = await throttle.begin(email, request.ip ?? '');
  if ('waitMs' in attempt) {
    throw tooManyRequests('Too many failed attempts: wait before the next one.', attempt.waitMs / 1_000);
  }
  let isRight: boolean;
  try {
    isRight = await passwords.check(passwordHash, password);
  } catch (error) {
    await attempt.withdrawn();
    throw error;
  }
  if (isRight) await attempt.succeeded();
  return isRight;
}
