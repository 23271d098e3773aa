import { tooManyRequests } from '@blog-content/service-runtime';
import { hash, verify } from '@node-rs/argon2';

/** Hashes and checks passwords with Argon2id. Both reject with a 429 problem when too many are waiting. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * @param passwordHash null for an account that does not exist: takes as long as for a wrong password, and is false.
   */
  check(passwordHash: string | null, password: string): Promise<boolean>;
}

export interface PasswordsOptions {
  /** Most computations at the same time: each takes 19 MiB. */
  readonly atOnce?: number;
  /** Most that wait for their turn; more are refused. */
  readonly waiting?: number;
}

const RETRY_AFTER_S = 2;

/** Uses the library's parameters, which are OWASP's recommendation (Argon2id, 19 MiB, 2 passes). */
export function createPasswords({ atOnce = 4, waiting = 100 }: PasswordsOptions = {}): Passwords {
  const inTurn = createQueue(atOnce, waiting);
  let unknownAccountHash: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => hash(password)),
    check: (passwordHash, password) =>
      inTurn(async () => {
        unknownAccountHash ??= hash('no account has this password');
        const matches = await verify(passwordHash ?? (await unknownAccountHash), password);
        return matches && passwordHash !== null;
      }),
  };
}

/** Runs at most `atOnce` at the same time, in the order in which they came. */
function createQueue(atOnce: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running += 1;
    else {
      if (queue.length >= waiting) {
        throw tooManyRequests('Too many passwords are being checked right now: try again in a moment.', RETRY_AFTER_S);
      }
      // A computation that ends hands its slot over.
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
