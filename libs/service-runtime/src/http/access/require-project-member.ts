import type { RequestHandler } from 'express';
import { forbidden, notFound, OperationalError } from '../operational-error.ts';
import { readId } from '../requests/read-id.ts';
import { accountOf } from './require-owner-session.ts';

/** Owners manage a project and its credentials; editors write and publish. */
export type ProjectRole = 'owner' | 'editor';

/** How long it takes at most, as a rule, until a service has heard of a project that was just created. */
const HEARD_WITHIN_S = 2;

/**
 * Lets only members of the project `:projectId` pass, after {@link requireOwnerSession}, with `res.locals.role` set.
 * Everybody else gets the 404 of a project that does not exist, so that nobody learns which ones do.
 *
 * @param roleOf what the account is in the project; null when it is no member.
 * @param options `hearsOfProjects`: the service learns of projects and members from events. Its 404 says that one that
 *   was just created may take a moment, with `Retry-After`, and says the same of all it does not know.
 */
export function requireProjectMember(
  roleOf: (projectId: string, accountId: string) => Promise<ProjectRole | null>,
  { hearsOfProjects = false }: { readonly hearsOfProjects?: boolean } = {},
): RequestHandler<{ projectId?: string }> {
  return async (request, response, next) => {
    const projectId = readId(request.params.projectId, 'project');
    const role = await roleOf(projectId, accountOf(response).id);
    if (role === null) throw hearsOfProjects ? notFoundYet() : notFound('No such project.');
    response.locals.role = role;
    response.locals.log['project_id'] = projectId;
    next();
  };
}

function notFoundYet(): OperationalError {
  return new OperationalError({
    code: 'not_found',
    status: 404,
    detail: 'No such project. If it was just created, it may take a moment until it is known here.',
    headers: { 'Retry-After': String(HEARD_WITHIN_S) },
  });
}

/**
 * Lets only owners of the project pass, after {@link requireProjectMember}: editors write and publish, and manage
 * nothing.
 */
export const requireProjectOwner: RequestHandler = (_request, response, next) => {
  if (response.locals.role !== 'owner') {
    throw forbidden('Only owners of the project may do this, and you are an editor of it.');
  }
  next();
};
