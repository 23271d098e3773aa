import type { RequestHandler } from 'express';
import { forbidden, notFound, OperationalError } from '../operational-error.ts';
import { readId } from '../requests/read-id.ts';
import { untilClosed } from '../requests/until-closed.ts';
import { awaitRole, HEARD_WITHIN_MS, type ProjectRole } from './await-role.ts';
import { accountOf } from './require-owner-session.ts';

const RETRY_AFTER_S = HEARD_WITHIN_MS / 1_000;

/**
 * Lets only members of the project `:projectId` pass, after {@link requireOwnerSession}, with `res.locals.role` set.
 * Everybody else gets the 404 of a project that does not exist, so that nobody learns which ones do.
 *
 * @param roleOf what the account is in the project; null when it is no member.
 * @param options `hearsOfProjects`: the service learns of projects and members from events. It waits briefly for one
 *   that it does not know, and its 404 has a `Retry-After`, whether or not there is such a project.
 */
export function requireProjectMember(
  roleOf: (projectId: string, accountId: string) => Promise<ProjectRole | null>,
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
