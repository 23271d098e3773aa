import { refreshRequest, signInRequest, type sessionShown } from '@blog-content/payload-schemas';
import { accountOf, parseBody, unauthorized } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import type { AccountStore } from '../account-store.ts';
import { signedInOf } from '../sessions/require-live-session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { showAccount, showSession, type SessionAnswerDependencies } from '../sessions/show-session.ts';
import { checkGuess } from './check-guess.ts';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle-store.ts';

export interface SessionRoutesDependencies extends SessionAnswerDependencies {
  readonly accounts: Pick<AccountStore, 'findByEmail'>;
  readonly sessions: Pick<SessionStore, 'begin' | 'refresh' | 'revoke'>;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly requireSession: RequestHandler;
}

/** `/session` and `/jwks.json`. */
export function createSessionRoutes(dependencies: SessionRoutesDependencies): Router {
  const { accounts, sessions, signer, requireSession } = dependencies;
  const routes = Router();

  routes.post('/session', async (req, res) => {
    const { email: given, password } = parseBody(signInRequest, req.body);
    const email = given.trim().toLowerCase();
    const account = await accounts.findByEmail(email);
    const passwordHash = account?.passwordHash ?? null;
    const isRight = await checkGuess(dependencies, req, { email, password, passwordHash });
    const grant = isRight && account ? await sessions.begin(account.id, account.passwordHash) : null;
    if (!grant) throw unauthorized('The email or the password is wrong.');
    res.locals.log['account_id'] = grant.account.id;
    res.status(201).json(await showSession(dependencies, grant));
  });

  routes.post('/session/refresh', async (req, res) => {
    const { refresh_token: token } = parseBody(refreshRequest, req.body);
    const grant = await sessions.refresh(token);
    if ('refused' in grant) {
      res.locals.log['refresh_refused'] = grant.refused;
      throw unauthorized('The refresh token is not valid (any more); sign in again.');
    }
    res.locals.log['account_id'] = grant.account.id;
    res.json(await showSession(dependencies, grant));
  });

  routes.get('/session', requireSession, (_req, res) => {
    const shown: z.infer<typeof sessionShown> = {
      expires_at: accountOf(res).sessionExpiresAt.toISOString(),
      account: showAccount(signedInOf(res)),
    };
    res.json(shown);
  });

  routes.delete('/session', requireSession, async (_req, res) => {
    await sessions.revoke(accountOf(res).sessionId);
    res.status(204).end();
  });

  routes.get('/jwks.json', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=300').json(signer.publicJwks());
  });
  return routes;
}
