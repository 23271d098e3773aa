import type { VerifySession } from '@blog-content/credentials';
import { forbidden, sessionEnded, verifyOwner } from '@blog-content/service-runtime';
import type { RequestHandler, Response } from 'express';
import type { SessionStore, SignedInAccount } from './session-store.ts';

declare module 'express-serve-static-core' {
  interface Locals {
    /** Set by `requireLiveSession`: the account as it is now, not as the token says. */
    signedIn?: SignedInAccount;
  }
}

/**
 * Lets only requests with a valid owner session pass that nobody has ended: a session that was signed out, ended by a
 * new password or deleted with its account is refused immediately, though its token has not expired.
 */
export function requireLiveSession(verify: VerifySession, sessions: Pick<SessionStore, 'findLive'>): RequestHandler {
  return async (request, response, next) => {
    const { id, sessionId } = await verifyOwner(verify, request, response);
    const account = await sessions.findLive(sessionId, id);
    if (account === null) throw sessionEnded(response, 'ended');
    response.locals.signedIn = account;
    next();
  };
}

/**
 * The account of a request that {@link requireLiveSession} has let pass. Throws when it has not been asked: that is a
 * bug.
 */
export function signedInOf(response: Response): SignedInAccount {
  const { signedIn } = response.locals;
  if (signedIn === undefined) throw new Error('This route lacks requireLiveSession.');
  return signedIn;
}

/** Lets only the administrator pass, after {@link requireLiveSession}. */
export const administratorOnly: RequestHandler = (_request, response, next) => {
  if (!signedInOf(response).isAdministrator) throw forbidden('Only the administrator can do this.');
  next();
};
