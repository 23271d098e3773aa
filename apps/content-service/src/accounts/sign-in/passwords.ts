import { createFairQueue } from '@blog-content/concurrency';
import { refuseWhenBusy } from '@blog-content/service-runtime';
import { hash, verify } from '@node-rs/argon2';

/**
 * Hashes and checks passwords with Argon2id. Networks that ask (see `networkOf`) take turns. Both reject with a 429
 * problem when too many are waiting.
 */
export interface Passwords {
  hash(network: string, password: string): Promise<string>;
  /**
   * @param passwordHash null for an account that does not exist: takes as long as for a wrong password, and is false.
   */
  check(network: string, passwordHash: string | null, password: string): Promise<boolean>;
}

export interface PasswordsOptions {
  /** Most computations at the same time: each takes 19 MB. */
  readonly atOnce?: number;
  /** Most that wait for their turn; of more the last of the network with most is refused. */
  readonly waiting?: number;
}

const RETRY_AFTER_S = 2;

/** Uses the library's parameters, which are OWASP's recommendation (Argon2id, 19 MB, 2 passes). */
export function createPasswords({ atOnce = 4, waiting = 100 }: PasswordsOptions = {}): Passwords {
  const turns = createFairQueue({ slots: atOnce, waiting });
  const refuse = refuseWhenBusy('Too many concurrent sign-ins. Try again shortly.', RETRY_AFTER_S);
  const inTurn = <Result>(network: string, work: () => Promise<Result>) => turns.run(network, work).catch(refuse);
  let unknownAccountHash: Promise<string> | undefined;
  return {
    hash: (network, password) => inTurn(network, () => hash(password)),
    check: (network, passwordHash, password) =>
      inTurn(network, async () => {
        unknownAccountHash ??= hash('no account has this password');
        const matches = await verify(passwordHash ?? (await unknownAccountHash), password);
        return matches && passwordHash !== null;
      }),
  };
}
