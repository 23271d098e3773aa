import { type Backoff, backoffMs, pause } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';
import type { AccountStore } from './account-store.ts';
import type { Passwords } from './sign-in/passwords.ts';

const RETRY_BACKOFF: Backoff = { firstMs: 200, maxMs: 5_000 };

/** A bootstrap in the background. */
export interface Bootstrap {
  /** For readiness: rejects until it has succeeded. */
  check(): Promise<void>;
  /** Resolves once it has succeeded, or was stopped. Never rejects. */
  readonly done: Promise<void>;
  /** Begins no further try, and resolves when the running one has ended. */
  stop(): Promise<void>;
}

/**
 * Tries to bootstrap until it succeeds, as often as it takes: the service starts with its database away, and is not
 * ready meanwhile. Each failure is logged as an error.
 */
export function startBootstrap(bootstrap: () => Promise<void>, logger: Pick<Logger, 'error'>): Bootstrap {
  const stopping = new AbortController();
  let isDone = false;
  const run = async (): Promise<void> => {
    for (let failures = 1; !stopping.signal.aborted && !isDone; failures += 1) {
      try {
        await bootstrap();
        isDone = true;
      } catch (error) {
        const retryMs = backoffMs(failures, RETRY_BACKOFF);
        logger.error('administrator.bootstrap_failed', { error, retry_ms: retryMs });
        await pause(retryMs, stopping.signal);
      }
    }
  };
  const done = run();
  return {
    check: () =>
      isDone ? Promise.resolve() : Promise.reject(new Error('The administrator account does not exist yet.')),
    done,
    stop() {
      stopping.abort();
      return done;
    },
  };
}

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
  const lastHash = account && (account.environmentPasswordHash ?? account.passwordHash);
  const isNew = lastHash === null || !(await passwords.check(lastHash, password));
  await accounts.setAdministrator(lowerCase, isNew ? await passwords.hash(password) : null);
}
