import { tooManyRequests } from '@blog-content/service-runtime';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** Hashes and checks passwords with Argon2id. Both reject with a 429 problem when too many are waiting. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * @param passwordHash null for an account that does not exist: takes as long as for a wrong password, and is false.
   */
  check(passwordHash: string | null, password: string): Promise<boolean>;
}

/** Most computations at the same time: each takes 19 MB. */
const MAX_AT_ONCE = 4;
/** Most that wait. A network has two at a time, as its requests without a session are. */
const MAX_WAITING = 100;
const RETRY_AFTER_S = 2;

/** Uses the library's parameters, which are OWASP's recommendation (Argon2id, 19 MB, 2 passes). */
export function createPasswords(): Passwords {
  const limit = pLimit(MAX_AT_ONCE);
  const compute = <Result>(work: () => Promise<Result>) => {
    if (limit.pendingCount < MAX_WAITING) return limit(work);
    throw tooManyRequests('Too many concurrent sign-ins. Try again shortly.', RETRY_AFTER_S);
  };
  let unknownAccountHash: Promise<string> | undefined;
  return {
    hash: async (password) => compute(() => hash(password)),
    check: async (passwordHash, password) =>
      compute(async () => {
        unknownAccountHash ??= hash('no account has this password');
        const matches = await verify(passwordHash ?? (await unknownAccountHash), password);
        return matches && passwordHash !== null;
      }),
  };
}
