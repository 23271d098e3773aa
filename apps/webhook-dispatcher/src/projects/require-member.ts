import type { RequestHandler } from 'express';
import { accountOf, notFound } from '@blog-content/service-runtime';
import { z } from 'zod';
import type { ProjectStore } from './project-store.ts';

const uuid = z.uuid();

/**
 * Lets only members of the project `:projectId` pass. Everybody else gets the 404 of a project that does not exist, so
 * that nobody learns which ones do.
 */
export function requireMember(projects: Pick<ProjectStore, 'isMember'>): RequestHandler {
  return async (req, res, next) => {
    const projectId = readId(req.params['projectId'], 'project');
    const accountId = uuid.safeParse(accountOf(res).id);
    if (!accountId.success || !(await projects.isMember(projectId, accountId.data))) throw notFound('No such project.');
    res.locals.log['project_id'] = projectId;
    next();
  };
}

/** An id from the path. @throws a 404 problem: what is no UUID names nothing. */
export function readId(value: unknown, of: string): string {
  const id = uuid.safeParse(value);
  if (!id.success) throw notFound(`No such ${of}.`);
  return id.data.toLowerCase();
}
