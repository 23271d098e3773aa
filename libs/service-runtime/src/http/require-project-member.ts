import type { RequestHandler } from 'express';
import { forbidden, notFound } from './operational-error.ts';
import { readId } from './read-id.ts';
import { accountOf } from './require-owner-session.ts';

/** Owners manage a project and its credentials; editors write and publish. */
export type ProjectRole = 'owner' | 'editor';

/**
 * Lets only members of the project `:projectId` pass, after {@link requireOwnerSession}, with `res.locals.role` set.
 * Everybody else gets the 404 of a project that does not exist, so that nobody learns which ones do.
 *
 * @param roleOf what the account is in the project; null when it is no member.
 */
export function requireProjectMember(
  roleOf: (projectId: string, accountId: string) => Promise<ProjectRole | null>,
): RequestHandler<{ projectId?: string }> {
  return async (request, response, next) => {
    const projectId = readId(request.params.projectId, 'project');
    const role = await roleOf(projectId, accountOf(response).id);
    if (role === null) throw notFound('No such project.');
    response.locals.role = role;
    response.locals.log['project_id'] = projectId;
    next();
  };
}

/** Lets only owners of the project pass, after {@link requireProjectMember}: editors write and publish, and manage nothing. */
export const requireProjectOwner: RequestHandler = (_request, response, next) => {
  if (response.locals.role !== 'owner') {
    throw forbidden('Only owners of the project may do this, and you are an editor of it.');
  }
  next();
};
