import { signInRequest } from '@blog-content/payload-schemas';
import { parseBody, unauthorized } from '@blog-content/service-runtime';
import type { Request } from 'express';
import type { AccountStore } from '../account-store.ts';
import type { SessionGrant, SessionStore } from '../sessions/session-store.ts';
import { userAgentOf } from '../sessions/user-agent-of.ts';
import { checkGuess } from './check-guess.ts';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle-store.ts';

export interface SignInDependencies {
  readonly accounts: Pick<AccountStore, 'findByEmail'>;
  readonly sessions: Pick<SessionStore, 'begin'>;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
}

/** Begins a session with the email and password of a request's body. */
export async function signIn(dependencies: SignInDependencies, request: Request): Promise<SessionGrant> {
  const { accounts, sessions } = dependencies;
  const { email: given, password } = parseBody(signInRequest, request.body);
  const email = given.trim().toLowerCase();
  const find = () => accounts.findByEmail(email);
  const account = await checkGuess(dependencies, request, { email, password, find });
  const grant = account && (await sessions.begin(account.id, account.passwordHash, userAgentOf(request)));
  if (!grant) throw unauthorized('Wrong email or password.');
  return grant;
}
