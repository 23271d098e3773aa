import { projectCreateRequest, projectUpdateRequest } from '@blog-content/payload-schemas';
import {
  accountOf,
  notFound,
  parseBody,
  readId,
  readPage,
  requireProjectMember,
  toPage,
} from '@blog-content/service-runtime';
import { Router } from 'express';
import type { ProjectRow, ProjectStore } from './project-store.ts';

const NO_PROJECT = 'No such project.';

/** `/projects` and `/projects/:projectId`. */
export function createProjectRoutes(projects: ProjectStore): Router {
  const routes = Router();

  routes.get('/', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await projects.list(accountOf(res).id, page), page.limit, showProject));
  });

  routes.post('/', async (req, res) => {
    const { name, site_url: siteUrl } = parseBody(projectCreateRequest, req.body);
    const project = await projects.create(accountOf(res).id, { name, siteUrl });
    res.status(201).location(`${req.baseUrl}/${project.id}`).json(showProject(project));
  });

  routes.get(
    '/:projectId',
    requireProjectMember((projectId, accountId) => projects.isMember(projectId, accountId)),
    async (req, res) => {
      const project = await projects.find(readId(req.params['projectId'], 'project'));
      if (!project) throw notFound(NO_PROJECT);
      res.json(showProject(project));
    },
  );

  routes.patch(
    '/:projectId',
    requireProjectMember((projectId, accountId) => projects.isMember(projectId, accountId)),
    async (req, res) => {
      const { name, site_url: siteUrl } = parseBody(projectUpdateRequest, req.body);
      const project = await projects.change(readId(req.params['projectId'], 'project'), {
        ...(name !== undefined && { name }),
        ...(siteUrl !== undefined && { siteUrl }),
      });
      if (!project) throw notFound(NO_PROJECT);
      res.json(showProject(project));
    },
  );
  return routes;
}

function showProject({ id, name, siteUrl, createdAt }: ProjectRow) {
  return { id, name, site_url: siteUrl, created_at: createdAt.toISOString() };
}
