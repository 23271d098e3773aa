import { InvalidSession, type VerifySession } from '@blog-content/credentials';
import type { Request, RequestHandler, Response } from 'express';
import { unauthorized, type OperationalError } from '../operational-error.ts';

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
 * @param isRevoked whether the session has ended although its tokens have not expired: signed out, ended by a new
 *   password or deleted with its account.
 */
export function requireOwnerSession(
  verify: VerifySession,
  isRevoked: (account: Account) => Promise<boolean>,
): RequestHandler {
  return async (request, response, next) => {
    if (await isRevoked(await verifyOwner(verify, request, response))) throw sessionEnded(response, 'revoked');
    next();
  };
}

/** Sets `res.locals.account` by a request's session, which may have ended. @throws a 401 problem without a valid one. */
export async function verifyOwner(verify: VerifySession, request: Request, response: Response): Promise<Account> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw unauthorized('Sign in first: send an owner session as a bearer token.');
  const log = (response.locals.log ??= {});
  try {
    const { accountId: id, email, sessionId, expiresAt: sessionExpiresAt } = await verify(token);
    log['account_id'] = id;
    return (response.locals.account = { id, email, sessionId, sessionExpiresAt });
  } catch (error) {
    if (!(error instanceof InvalidSession)) throw error;
    log['session_refused'] = error.reason;
    throw unauthorized('The session is invalid or expired. Sign in again.', INVALID_TOKEN);
  }
}

/** 401. @param reason for the log. */
export function sessionEnded(response: Response, reason: string): OperationalError {
  (response.locals.log ??= {})['session_refused'] = reason;
  return unauthorized('The session has ended. Sign in again.', INVALID_TOKEN);
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
