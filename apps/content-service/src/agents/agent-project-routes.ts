import type { agentProject } from '@blog-content/payload-schemas';
import { notFound } from '@blog-content/service-runtime';
import { Router } from 'express';
import type { z } from 'zod';
import { callerOf } from '../platform/http/caller.ts';
import type { ProjectStore } from '../projects/project-store.ts';

/** `/project`: the one project of an agent's key. */
export function createAgentProjectRoutes(projects: Pick<ProjectStore, 'find'>): Router {
  const routes = Router();
  routes.get('/project', async (_req, res) => {
    const project = await projects.find(callerOf(res).projectId);
    if (!project) throw notFound('The project of this key was deleted.');
    const { id, name, siteUrl, createdAt } = project;
    const shown: z.infer<typeof agentProject> = { id, name, site_url: siteUrl, created_at: createdAt.toISOString() };
    res.json(shown);
  });
  return routes;
}
