import type { SessionSigner } from '@blog-content/credentials';
import { signInRequest } from '@blog-content/payload-schemas';
import { accountOf, parseBody, tooManyRequests, unauthorized } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { AccountStore } from './account-store.ts';
import { checkPassword } from './passwords.ts';
import type { Throttle } from './throttle.ts';

export interface SessionRoutesDependencies {
  readonly accounts: Pick<AccountStore, 'findByEmail'>;
  readonly signer: SessionSigner;
  readonly throttle: Throttle;
  readonly sessionTtlS: number;
  readonly requireSession: RequestHandler;
}

/** `/session` and `/jwks.json`. */
export function createSessionRoutes(dependencies: SessionRoutesDependencies): Router {
  const { accounts, signer, throttle, sessionTtlS, requireSession } = dependencies;
  const routes = Router();

  routes.post('/session', async (req, res) => {
    const { email: given, password } = parseBody(signInRequest, req.body);
    const email = given.trim().toLowerCase();
    const key = `${email} ${req.socket.remoteAddress ?? ''}`;
    const waitMs = throttle.waitMs(key);
    if (waitMs > 0) throw tooManyRequests('Too many failed attempts: wait before the next one.', waitMs / 1_000);
    // Counted before the slow check, so that guesses made at the same time count too; a success takes it back.
    throttle.failed(key);
    const account = await accounts.findByEmail(email);
    if (!(await checkPassword(account?.passwordHash ?? null, password)) || account === null) {
      throw unauthorized('The email or the password is wrong.');
    }
    throttle.succeeded(key);
    res.locals.log['account_id'] = account.id;
    const { token, expiresAt } = await signer.issue({ accountId: account.id, email: account.email }, sessionTtlS);
    res
      .status(201)
      .set('Cache-Control', 'no-store')
      .json({
        token,
        expires_at: expiresAt.toISOString(),
        account: { id: account.id, email: account.email },
      });
  });

  routes.get('/session', requireSession, (_req, res) => {
    const { id, email, sessionExpiresAt } = accountOf(res);
    res.json({ expires_at: sessionExpiresAt.toISOString(), account: { id, email } });
  });

  routes.get('/jwks.json', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=300').json(signer.publicJwks());
  });
  return routes;
}
