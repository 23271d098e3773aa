import { InvalidSession } from '@blog-content/credentials';
import type { RequestHandler, Response } from 'express';
import { unauthorized } from '../operational-error.ts';

/** What a verified session says. */
export interface OwnerClaims {
  readonly accountId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/** Who a request speaks for: in `res.locals.account` after {@link requireOwnerSession}. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
  /** When the token that came with the request ends. */
  readonly sessionExpiresAt: Date;
}

const INVALID_TOKEN = 'Bearer error="invalid_token"';
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/**
 * Lets only requests with a valid owner session (`Authorization: Bearer …`) pass, with `res.locals.account` set; others
 * are answered 401 with `WWW-Authenticate`.
 *
 * @param verify such as `createSessionVerifier` makes; throws InvalidSession for a token that is not valid. What else
 *   it throws is a bug and goes on as one.
 * @param isRevoked whether the session has ended although its tokens have not expired: signed out, ended by a new
 *   password or deleted with its account.
 */
export function requireOwnerSession(
  verify: (token: string) => Promise<OwnerClaims>,
  isRevoked: (claims: OwnerClaims) => Promise<boolean>,
): RequestHandler {
  return async (request, response, next) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw unauthorized('Sign in first: this needs an owner session as a bearer token.');
    let claims: OwnerClaims;
    try {
      claims = await verify(token);
    } catch (error) {
      if (!(error instanceof InvalidSession)) throw error;
      (response.locals.log ??= {})['session_refused'] = error.reason;
      throw unauthorized('The session is not valid or has expired; sign in again.', INVALID_TOKEN);
    }
    if (await isRevoked(claims)) {
      (response.locals.log ??= {})['session_refused'] = 'revoked';
      throw unauthorized('The session has ended; sign in again.', INVALID_TOKEN);
    }
    const { accountId, email, sessionId, expiresAt } = claims;
    response.locals.account = { id: accountId, email, sessionId, sessionExpiresAt: expiresAt };
    (response.locals.log ??= {})['account_id'] = claims.accountId;
    next();
  };
}

/**
 * The account of a request that {@link requireOwnerSession} has let pass. Throws when it has not been asked: that is a
 * bug.
 */
export function accountOf(response: Response): Account {
  const { account } = response.locals;
  if (account === undefined) throw new Error('This route lacks requireOwnerSession.');
  return account;
}
