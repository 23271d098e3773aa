import type { accountSessions, browserSession } from '@blog-content/payload-schemas';
import { accountOf, forbidden, notFound, readId, unauthorized } from '@blog-content/service-runtime';
import { Router, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { acceptInvitation, type AcceptInvitationDependencies } from '../invitations/accept-invitation.ts';
import type { SessionGrant, SessionStore } from '../sessions/session-store.ts';
import { showSession, type SessionAnswerDependencies } from '../sessions/show-session.ts';
import type { Passwords } from '../sign-in/passwords.ts';
import { clearSessionCookie, sessionCookieOf, setSessionCookie } from './session-cookie.ts';
import { signIn, type SignInDependencies } from '../sign-in/sign-in.ts';

export interface BrowserSessionRoutesDependencies
  extends SessionAnswerDependencies, SignInDependencies, AcceptInvitationDependencies {
  readonly sessions: Pick<SessionStore, 'begin' | 'refresh' | 'revokeByToken' | 'list' | 'revokeOne' | 'revokeAll'>;
  readonly passwords: Passwords;
  readonly requireSession: RequestHandler;
}

/**
 * `/session/browser`: sessions of pages, whose refresh token is in a cookie and whose session token is in the page's
 * memory. Every other route takes the token alone, so that no other site's page can do anything
 * (ADR 24). And `/account/sessions`: where one is signed in.
 */
export function createBrowserSessionRoutes(dependencies: BrowserSessionRoutesDependencies): Router {
  const { sessions, requireSession } = dependencies;
  const routes = Router();
  routes.use('/session/browser', refuseOtherSites);

  const begin = async (res: Response, grant: SessionGrant, before: string | null): Promise<void> => {
    // The browser's earlier session ends: its cookie is replaced.
    if (before !== null) await sessions.revokeByToken(before);
    await answer(res, 201, grant);
  };
  const answer = async (res: Response, status: number, grant: SessionGrant): Promise<void> => {
    res.locals.log['account_id'] = grant.account.id;
    const { refresh_token: refreshToken, ...shown } = await showSession(dependencies, grant);
    setSessionCookie(res, refreshToken, grant.expiresAt);
    res.status(status).json(shown satisfies z.infer<typeof browserSession>);
  };

  routes.post('/session/browser', async (req, res) => {
    await begin(res, await signIn(dependencies, req), sessionCookieOf(req));
  });

  routes.post('/session/browser/invitation', async (req, res) => {
    await begin(res, await acceptInvitation(dependencies, req), sessionCookieOf(req));
  });

  routes.post('/session/browser/refresh', async (req, res) => {
    const token = sessionCookieOf(req);
    const grant = token === null ? ({ refused: 'unknown' } as const) : await sessions.refresh(token);
    if ('refused' in grant) {
      res.locals.log['refresh_refused'] = grant.refused;
      clearSessionCookie(res);
      throw unauthorized('Your session has ended. Sign in again.');
    }
    await answer(res, 200, grant);
  });

  routes.delete('/session/browser', async (req, res) => {
    const token = sessionCookieOf(req);
    clearSessionCookie(res);
    if (token === null || !(await sessions.revokeByToken(token))) throw unauthorized('You are not signed in.');
    res.status(204).end();
  });

  routes.use('/account/sessions', requireSession);

  routes.get('/account/sessions', async (_req, res) => {
    const { id, sessionId } = accountOf(res);
    const items = (await sessions.list(id)).map((session) => ({
      id: session.id,
      created_at: session.createdAt.toISOString(),
      refreshed_at: session.refreshedAt?.toISOString() ?? null,
      expires_at: session.expiresAt.toISOString(),
      user_agent: session.userAgent,
      is_current: session.id === sessionId,
    }));
    res.json({ items } satisfies z.infer<typeof accountSessions>);
  });

  routes.delete('/account/sessions', async (_req, res) => {
    await sessions.revokeAll(accountOf(res).id);
    clearSessionCookie(res);
    res.status(204).end();
  });

  routes.delete('/account/sessions/:sessionId', async (req, res) => {
    const ended = await sessions.revokeOne(accountOf(res).id, readId(req.params.sessionId, 'session'));
    if (!ended) throw notFound('Session not found.');
    res.status(204).end();
  });
  return routes;
}

/** A page of another site, a neighbouring domain's included, neither signs a browser in nor out, nor refreshes. */
const refuseOtherSites: RequestHandler = (request, _response, next) => {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') {
    throw forbidden('Requests from another site are not allowed.');
  }
  next();
};
