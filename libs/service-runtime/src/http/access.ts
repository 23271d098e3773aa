import { setTimeout as wait } from 'node:timers/promises';
import { InvalidSession, type VerifySession } from '@blog-content/credentials';
import type { Request, RequestHandler, Response } from 'express';
import { forbidden, notFound, OperationalError, unauthorized } from './operational-error.ts';
import { untilClosed } from './requests/queue-requests.ts';
import { readId } from './requests/read-parameters.ts';

/** Who a request speaks for: in `res.locals.account` after {@link requireOwnerSession}. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
  /** When the token that came with the request ends. */
  readonly sessionExpiresAt: Date;
}

/** Owners manage a project and its credentials; editors write and publish. */
export type ProjectRole = 'owner' | 'editor';

type RoleOf = (projectId: string, accountId: string) => Promise<ProjectRole | null>;

const INVALID_TOKEN = 'Bearer error="invalid_token"';
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/** The longest that an event about a project usually takes. */
const HEARD_WITHIN_MS = 2_000;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;
/** How long a wait in vain is remembered, so that repeated requests are answered immediately, and how many. */
const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 1_000;
const RETRY_AFTER_S = HEARD_WITHIN_MS / 1_000;

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

/**
 * Lets only members of the project `:projectId` pass, after {@link requireOwnerSession}, with `res.locals.role` set.
 * Everybody else gets the 404 of a project that does not exist, so that nobody learns which ones do.
 *
 * @param roleOf what the account is in the project; null when it is no member.
 * @param options `hearsOfProjects`: the service learns of projects and members from events. It waits briefly for one
 *   that it does not know, and its 404 has a `Retry-After`, whether or not there is such a project.
 */
export function requireProjectMember(
  roleOf: RoleOf,
  { hearsOfProjects = false }: { readonly hearsOfProjects?: boolean } = {},
): RequestHandler<{ projectId?: string }> {
  const find = hearsOfProjects ? awaitRole(roleOf) : roleOf;
  return async (request, response, next) => {
    const projectId = readId(request.params.projectId, 'project');
    const role = await find(projectId, accountOf(response).id, untilClosed(response));
    if (role === null) throw hearsOfProjects ? notFoundYet() : notFound('Project not found.');
    response.locals.role = role;
    response.locals.log['project_id'] = projectId;
    next();
  };
}

function notFoundYet(): OperationalError {
  return new OperationalError({
    code: 'not_found',
    status: 404,
    detail: `Project not found. If you just created it, try again in ${RETRY_AFTER_S} seconds.`,
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}

/**
 * Lets only owners of the project pass, after {@link requireProjectMember}: editors write and publish, and manage
 * nothing.
 */
export const requireProjectOwner: RequestHandler = (_request, response, next) => {
  if (response.locals.role !== 'owner') {
    throw forbidden('Only project owners can do this. You are an editor.');
  }
  next();
};

/**
 * For services that learn of projects and members from events: asks again for up to {@link HEARD_WITHIN_MS} when there
 * is no role, because the project may have been created a moment ago. It takes as long for a project of others as for
 * one that does not exist.
 */
function awaitRole(
  roleOf: RoleOf,
): (projectId: string, accountId: string, left: AbortSignal) => Promise<ProjectRole | null> {
  /** When each wait in vain has ended, the oldest first. */
  const inVain = new Map<string, number>();
  const isRemembered = (key: string) => performance.now() - (inVain.get(key) ?? -Infinity) < REMEMBERED_MS;
  return async (projectId, accountId, left) => {
    const key = `${accountId} ${projectId}`;
    const until = performance.now() + HEARD_WITHIN_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const role = await roleOf(projectId, accountId);
      if (role !== null || left.aborted || isRemembered(key)) return role;
      if (performance.now() >= until) break;
      await wait(pauseMs, undefined, { signal: left }).catch(() => undefined);
    }
    inVain.delete(key);
    inVain.set(key, performance.now());
    const [oldest] = inVain.keys();
    if (inVain.size > MAX_REMEMBERED && oldest !== undefined) inVain.delete(oldest);
    return null;
  };
}
