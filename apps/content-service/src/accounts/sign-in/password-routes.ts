import { passwordChangeRequest, passwordResetAskRequest, passwordResetRequest } from '@blog-content/payload-schemas';
import {
  accountOf,
  conflict,
  parseBody,
  tooManyRequests,
  unauthorized,
  unprocessable,
} from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { EmailQueue } from '../../email/email-queue-store.ts';
import type { AccountStore } from '../account-store.ts';
import { checkGuess } from './check-guess.ts';
import { networkOf } from './network-of.ts';
import type { PasswordStore } from './password-store.ts';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle-store.ts';

export interface PasswordRoutesDependencies {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly passwordStore: PasswordStore;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly emails: Pick<EmailQueue, 'isOn' | 'askForReset'>;
  readonly requireSession: RequestHandler;
}

/** `/account/password` and `/password-reset`: how people set their own passwords. */
export function createPasswordRoutes(dependencies: PasswordRoutesDependencies): Router {
  const { accounts, passwordStore, passwords, emails, requireSession } = dependencies;
  const routes = Router();

  routes.post('/account/password', requireSession, async (req, res) => {
    const { current_password: password, new_password: newPassword } = parseBody(passwordChangeRequest, req.body);
    const { id: accountId, sessionId: keptSessionId } = accountOf(res);
    const account = await accounts.find(accountId);
    if (!account) throw unauthorized('The account was deleted.');
    const { email, passwordHash: checkedHash } = account;
    const find = () => Promise.resolve(account);
    if (!(await checkGuess(dependencies, req, { email, password, find }))) throw wrongPassword();
    const newHash = await passwords.hash(newPassword);
    if (!(await passwordStore.change({ accountId, checkedHash, newHash, keptSessionId }))) throw wrongPassword();
    res.status(204).end();
  });

  // The same answer, after the same work, whether the address has an account or not.
  routes.post('/password-reset/request', async (req, res) => {
    const { email } = parseBody(passwordResetAskRequest, req.body);
    if (!emails.isOn) throw conflict('Email delivery is not configured. Ask an administrator for a reset link.');
    const refused = await emails.askForReset(email.toLowerCase(), networkOf(req.ip ?? ''));
    if (refused) {
      throw tooManyRequests('Too many reset requests. Wait before you try again.', refused.waitMs / 1_000);
    }
    res.status(202).end();
  });

  routes.post('/password-reset', async (req, res) => {
    const { token, new_password: newPassword } = parseBody(passwordResetRequest, req.body);
    // Asked first, so that guessed tokens cost no hash of a password.
    if (!(await passwordStore.canReset(token))) throw badToken();
    if (!(await passwordStore.reset(token, await passwords.hash(newPassword)))) throw badToken();
    res.status(204).end();
  });
  return routes;
}

const wrongPassword = () => unprocessable([{ field: 'current_password', message: 'is not your current password' }]);

const badToken = () =>
  unprocessable([{ field: 'token', message: 'is unknown, used or expired: ask the administrator for a new one' }]);
