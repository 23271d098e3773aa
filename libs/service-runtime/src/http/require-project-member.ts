import type { RequestHandler } from 'express';
import { notFound } from './operational-error.ts';
import { readId } from './read-id.ts';
import { accountOf } from './require-owner-session.ts';

/**
 * Lets only members of the project `:projectId` pass, after {@link requireOwnerSession}. Everybody else gets the 404 of a
 * project that does not exist, so that nobody learns which ones do.
 */
export function requireProjectMember(
  isMember: (projectId: string, accountId: string) => Promise<boolean>,
): RequestHandler<{ projectId?: string }> {
  return async (request, response, next) => {
    const projectId = readId(request.params.projectId, 'project');
    if (!(await isMember(projectId, accountOf(response).id))) throw notFound('No such project.');
    response.locals.log['project_id'] = projectId;
    next();
  };
}
