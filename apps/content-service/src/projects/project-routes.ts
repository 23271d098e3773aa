import {
  projectCreateRequest,
  projectUpdateRequest,
  suspensionScope,
  type project,
  type suspension,
} from '@blog-content/payload-schemas';
import {
  accountOf,
  conflict,
  etagOf,
  notFound,
  parseBody,
  preconditionFailed,
  readIfMatch,
  readPage,
  requireProjectOwner,
  toPage,
} from '@blog-content/service-runtime';
import { Router, type Response } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import { checkGivenUrls } from '../platform/http/check-given-urls.ts';
import type { IdempotencyStore } from '../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../platform/idempotency/idempotent.ts';
import { MAX_PROJECTS } from './project-limits.ts';
import type { ProjectOfMember, ProjectRow, ProjectStore } from './project-store.ts';

export interface ProjectRoutesDependencies {
  readonly projects: Omit<ProjectStore, 'create'>;
  readonly idempotency: IdempotencyStore<{ readonly projects: Pick<ProjectStore, 'create'> }>;
}

/** `/projects`: all that the account is a member of. */
export function createProjectListRoutes({ projects, idempotency }: ProjectRoutesDependencies): Router {
  const routes = Router();

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await projects.list(accountOf(res).id, page), page.limit, showProject));
  });

  routes.post(
    '/',
    idempotent(idempotency, accountOf, async (req, res, stores) => {
      const { name, site_url: siteUrl } = parseBody(projectCreateRequest, req.body);
      checkGivenUrls({ site_url: siteUrl });
      const created = await stores.projects.create(accountOf(res).id, { name, siteUrl });
      if (created === 'too_many') {
        throw conflict(`Limit reached: you are a member of ${MAX_PROJECTS} projects. Leave or delete some first.`);
      }
      res.locals.log['project_id'] = created.id;
      const headers = { Location: `${req.baseUrl}/${created.id}`, ETag: etagOf(created.eventNumber) };
      const about = { projectId: created.id };
      return { status: 201, headers, body: showProject({ ...created, role: 'owner' }), about };
    }),
  );
  return routes;
}

/** One project, for its members. */
export function createProjectRoutes({ projects }: Pick<ProjectRoutesDependencies, 'projects'>): Router {
  const routes = Router({ mergeParams: true });

  routes.get('/', async (_req, res) => {
    const found = await projects.find(callerOf(res).projectId);
    if (!found) throw noProject();
    send(res, found);
  });

  routes.patch('/', requireProjectOwner, async (req, res) => {
    const ifMatch = readIfMatch(req);
    const { name, site_url: siteUrl } = parseBody(projectUpdateRequest, req.body);
    checkGivenUrls({ site_url: siteUrl });
    const fields = { ...(name !== undefined && { name }), ...(siteUrl !== undefined && { siteUrl }) };
    const changed = await projects.change(callerOf(res), fields, ifMatch);
    if (changed === 'not_found') throw noProject();
    if (changed === 'changed') throw preconditionFailed('project');
    send(res, changed);
  });

  routes.delete('/', requireProjectOwner, async (req, res) => {
    const deletion = await projects.delete(callerOf(res), readIfMatch(req));
    if ('refused' in deletion) {
      if (deletion.refused === 'not_found') throw noProject();
      if (deletion.refused === 'changed') throw preconditionFailed('project');
      const what = deletion.blogs === 1 ? '1 post is' : `${deletion.blogs} posts are`;
      throw conflict(`${what} published. Unpublish or delete them first, so that receivers are notified.`);
    }
    res.status(204).end();
  });
  return routes;
}

const noProject = () => notFound('Project not found.');

function send(response: Response, row: ProjectRow): void {
  const { role } = response.locals;
  if (role === undefined) throw new Error('This route lacks requireProjectMember.');
  response.set('ETag', etagOf(row.eventNumber)).json(showProject({ ...row, role }));
}

/** A project as one of its members sees it. */
export function showProject({ id, name, siteUrl, role, createdAt, ...row }: ProjectOfMember): z.infer<typeof project> {
  return { id, name, site_url: siteUrl, role, created_at: createdAt.toISOString(), suspension: showSuspension(row) };
}

/** What an administrator has stopped of a project; null for nothing. */
export function showSuspension({
  suspended,
  suspendedAt,
  suspendedReason,
}: Pick<ProjectRow, 'suspended' | 'suspendedAt' | 'suspendedReason'>): z.infer<typeof suspension> | null {
  if (suspended === null || suspendedAt === null) return null;
  return {
    scope: suspensionScope.parse(suspended),
    reason: suspendedReason,
    suspended_at: suspendedAt.toISOString(),
  };
}
