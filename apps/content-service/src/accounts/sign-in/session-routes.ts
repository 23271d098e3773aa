import type { PublicSessionJwk } from '@blog-content/credentials';
import { refreshRequest, type sessionOptions, type sessionShown } from '@blog-content/payload-schemas';
import { accountOf, parseBody, unauthorized } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { z } from 'zod';
import type { EmailQueue } from '../../email/email-queue-store.ts';
import { signedInOf } from '../sessions/require-live-session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { showAccount, showSession, type SessionAnswerDependencies } from '../sessions/show-session.ts';
import { signIn, type SignInDependencies } from './sign-in.ts';

export interface SessionRoutesDependencies extends SessionAnswerDependencies, SignInDependencies {
  readonly sessions: Pick<SessionStore, 'begin' | 'refresh' | 'revoke'>;
  readonly emails: Pick<EmailQueue, 'isOn'>;
  readonly requireSession: RequestHandler;
  /** The public keys whose sessions are accepted. */
  readonly sessionJwks: { readonly keys: readonly PublicSessionJwk[] };
}

/** `/session` and `/jwks.json`. */
export function createSessionRoutes(dependencies: SessionRoutesDependencies): Router {
  const { sessions, sessionJwks, emails, requireSession } = dependencies;
  const routes = Router();

  routes.post('/session', async (req, res) => {
    const grant = await signIn(dependencies, req);
    res.locals.log['account_id'] = grant.account.id;
    res.status(201).json(await showSession(dependencies, grant));
  });

  routes.post('/session/refresh', async (req, res) => {
    const { refresh_token: token } = parseBody(refreshRequest, req.body);
    const grant = await sessions.refresh(token);
    if ('refused' in grant) {
      res.locals.log['refresh_refused'] = grant.refused;
      throw unauthorized('The refresh token is invalid or expired. Sign in again.');
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

  routes.get('/session/options', (_req, res) => {
    res.json({ sends_email: emails.isOn } satisfies z.infer<typeof sessionOptions>);
  });

  routes.delete('/session', requireSession, async (_req, res) => {
    await sessions.revoke(accountOf(res).sessionId);
    res.status(204).end();
  });

  routes.get('/jwks.json', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=300').json(sessionJwks);
  });
  return routes;
}
