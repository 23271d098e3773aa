import { projectCreateRequest, projectUpdateRequest } from '@blog-content/payload-schemas';
import { accountOf, notFound, parseBody, readId, readPage, toPage } from '@blog-content/service-runtime';
import { Router, type RequestHandler } from 'express';
import type { ProjectRow, ProjectStore } from './project-store.ts';

const NO_PROJECT = 'No such project.';

/**
 * Lets only members of the project `:projectId` pass. Everybody else gets the 404 of a project that does not exist, so
 * that nobody learns which ones do.
 */
export function requireMember(projects: Pick<ProjectStore, 'isMember'>): RequestHandler {
  return async (req, res, next) => {
    const projectId = readId(req.params['projectId'], 'project');
    if (!(await projects.isMember(projectId, accountOf(res).id))) throw notFound(NO_PROJECT);
    res.locals.log['project_id'] = projectId;
    next();
  };
}

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

  routes.get('/:projectId', requireMember(projects), async (req, res) => {
    const project = await projects.find(readId(req.params['projectId'], 'project'));
    if (!project) throw notFound(NO_PROJECT);
    res.json(showProject(project));
  });

  routes.patch('/:projectId', requireMember(projects), async (req, res) => {
    const { name, site_url: siteUrl } = parseBody(projectUpdateRequest, req.body);
    const project = await projects.change(readId(req.params['projectId'], 'project'), {
      ...(name !== undefined && { name }),
      ...(siteUrl !== undefined && { siteUrl }),
    });
    if (!project) throw notFound(NO_PROJECT);
    res.json(showProject(project));
  });
  return routes;
}

function showProject({ id, name, siteUrl, createdAt }: ProjectRow) {
  return { id, name, site_url: siteUrl, created_at: createdAt.toISOString() };
}
