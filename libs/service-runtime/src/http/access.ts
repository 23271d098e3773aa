import { setTimeout as wait } from 'node:timers/promises';
import { InvalidSession, type VerifySession } from '@blog-content/credentials';
import type { Request, RequestHandler, Response } from 'express';
import { forbidden, notFound, OperationalError, unauthorized } from './operational-error.ts';
import { READS, untilClosed } from './requests/queue-requests.ts';
import { readId } from './requests/read-parameters.ts';

/** Who a request speaks for: in `res.locals.account` after {@link requireOwnerSession}. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
  /** When the token that came with the request ends. */
  readonly sessionExpiresAt: Date;
  /** The token was issued to the administrator, whose sessions end once they no longer are that. */
  readonly isAdministrator?: true;
}

/** Owners manage a project and its credentials; editors write and publish. */
export type ProjectRole = 'owner' | 'editor';

/** What an account is in a project, and what an administrator has stopped of the project; null for nothing. */
export interface Member {
  readonly role: ProjectRole;
  readonly suspended: 'writes' | 'all' | null;
}

type MemberOf = (projectId: string, accountId: string) => Promise<Member | null>;

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
    const { accountId: id, email, sessionId, expiresAt: sessionExpiresAt, isAdministrator } = await verify(token);
    log['account_id'] = id;
    const account = { id, email, sessionId, sessionExpiresAt };
    return (response.locals.account = isAdministrator ? { ...account, isAdministrator } : account);
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
 * @param memberOf null for whoever is no member.
 * @param options `hearsOfProjects`: the service learns of projects and members from events. It waits briefly for one
 *   that it does not know, and its 404 has a `Retry-After`, whether or not there is such a project.
 */
export function requireProjectMember(
  memberOf: MemberOf,
  { hearsOfProjects = false }: { readonly hearsOfProjects?: boolean } = {},
): RequestHandler<{ projectId?: string }> {
  const find = hearsOfProjects ? awaitMember(memberOf) : memberOf;
  return async (request, response, next) => {
    const projectId = readId(request.params.projectId, 'project');
    const member = await find(projectId, accountOf(response).id, untilClosed(response));
    if (member === null) throw hearsOfProjects ? notFoundYet() : notFound('Project not found.');
    response.locals.role = member.role;
    response.locals.log['project_id'] = projectId;
    if (member.suspended !== null && changesSomething(request)) throw projectSuspended();
    next();
  };
}

/** What members of a suspended project may still do besides reading: take their data out, and access away. */
const ALLOWED_WHILE_SUSPENDED: Readonly<Record<string, RegExp>> = {
  POST: /\/(?:export|public-key\/rotate)\/?$/i,
  DELETE: /\/(?:public-key|(?:agent-keys|members|invitations)\/[^/]+)\/?$/i,
};

/** Whether a request to a project is one that a suspension stops. */
export const changesSomething = ({ method, originalUrl }: Pick<Request, 'method' | 'originalUrl'>): boolean =>
  !READS.has(method) && !(ALLOWED_WHILE_SUSPENDED[method]?.test(originalUrl.split('?', 1)[0] ?? '') ?? false);

/** 403 for a change of a suspended project. */
export const projectSuspended = () =>
  new OperationalError({
    code: 'project_suspended',
    status: 403,
    title: 'Project suspended',
    detail:
      'An administrator suspended this project: nothing can be changed or published. You can still read and export your posts. Ask the administrator to resume the project.',
  });

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
 * is no member, because the project may have been created a moment ago. It takes as long for a project of others as for
 * one that does not exist.
 */
function awaitMember(
  memberOf: MemberOf,
): (projectId: string, accountId: string, left: AbortSignal) => Promise<Member | null> {
  /** When each wait in vain has ended, the oldest first. */
  const inVain = new Map<string, number>();
  const isRemembered = (key: string) => performance.now() - (inVain.get(key) ?? -Infinity) < REMEMBERED_MS;
  return async (projectId, accountId, left) => {
    const key = `${accountId} ${projectId}`;
    const until = performance.now() + HEARD_WITHIN_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const member = await memberOf(projectId, accountId);
      if (member !== null || left.aborted || isRemembered(key)) return member;
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

/** Lets only the administrator pass, after {@link requireOwnerSession}. */
export const requireAdministratorSession: RequestHandler = (_request, response, next) => {
  if (accountOf(response).isAdministrator !== true) {
    throw forbidden('Only the administrator can do this. If you just became the administrator, sign in again.');
  }
  next();
};
